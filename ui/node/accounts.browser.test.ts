import { expect, it, onTestFinished } from 'vitest';
import { accountName, keepAccounts, readAccounts } from './accounts.ts';
import { Signers } from './tx/signers.svelte.ts';

const good = { name: 'Zoe', id: `0x${'5a'.repeat(32)}`, suri: '//Zoe' };
const stored = 'tabnode.secrets';

it('signers that are stored damaged are left out, and copied aside', () => {
  onTestFinished(() => sessionStorage.clear());
  for (const text of ['{', '{}', '7', 'null']) {
    sessionStorage.setItem(stored, text);
    expect(new Signers().added, text).toEqual([]);
    expect(sessionStorage.getItem(`${stored}.broken`)).toBe(text);
  }
  const bad = [
    null,
    'Zoe',
    [],
    {},
    { ...good, id: '0x5A' },
    { ...good, id: [good.id] },
    { ...good, suri: 1 },
  ];
  sessionStorage.setItem(stored, JSON.stringify([...bad, { ...good, name: undefined }, good]));
  expect(new Signers().added).toEqual([good]);
  expect(accountName(good.id)).toBe('Zoe');
  keepAccounts('secrets', [good, { ...good, suri: null }]);
  expect(readAccounts('secrets')).toEqual([{ ...good, suri: null }]);
});
