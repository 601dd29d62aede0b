import { expect, it } from 'vitest';
import type { Command } from './commands.ts';
import { rankCommands } from './rank.ts';

const command = (group: string, label: string, words = ''): Command => ({
  id: label,
  group,
  label,
  words,
  hint: '',
  run: '',
});

it('ranks actions of the page first, then the entry that stores the data, then other entries of that name', () => {
  const all = [
    command('Do', 'Fund an account…', 'balance money faucet'),
    command('RPC', 'dev_fund'),
    command('Storage', 'Balances.Account'),
    command('Storage', 'System.Account', 'balance free nonce'),
    command('Calls', 'Balances.burn', 'Balances.burn'),
  ];
  const found = (typed: string) => rankCommands(all, typed).map(({ label }) => label);
  expect(found('balance').slice(0, 3)).toEqual(['Fund an account…', 'System.Account', 'Balances.Account']);
  expect(found('fund')).toEqual(['Fund an account…', 'dev_fund']);
});
