import { expect, it } from 'vitest';
import { toAddress } from '../../../src/scale/address.ts';
import { storageEntry } from '../../../src/scale/storage.ts';
import { devAccounts } from '../../node/accounts.ts';
import { useRealNode } from '../../testing/real-node.ts';
import { accountKey, guessData, isOddHex, type Known } from './guess.ts';

const real = useRealNode();
const unknown: Known = { isBlock: false, isAccount: null, best: 12 };
const guess = (typed: string, known: Partial<Known> = {}) =>
  guessData(real.meta, typed, { ...unknown, ...known }).map(
    ({ label, isSure }) => `${isSure ? 'is' : 'could be'} ${label}`,
  );
const any = `0x${'5a'.repeat(32)}`;

it('32 bytes that are the prefix of stored entries are that, and no account to send to', () => {
  const prefix = storageEntry(real.meta, 'System', 'Account')?.prefix ?? '';
  expect(prefix).toHaveLength(66);
  expect(guess(prefix)).toEqual(['is Storage System.Account']);
  // Also before the node has said whether it is a block.
  expect(guess(prefix, { isBlock: null })).toEqual(['is Storage System.Account']);
});

it('other 32 bytes could be several things; nothing is sent to them', () => {
  const guesses = guess(any);
  expect(guesses.slice(0, 2)).toEqual([
    'could be Transaction 0x5a5a…5a5a',
    expect.stringMatching(/^could be Account /),
  ]);
  expect(guesses.join()).not.toMatch(/Send to|(^|,)is /);
  expect(guess(any, { isBlock: null })[0]).toBe('could be Block 0x5a5a…5a5a');
});

it('what the node confirms comes first', () => {
  expect(guess(any, { isBlock: true })).toEqual(['is Block 0x5a5a…5a5a']);
  const found = guess(any, { isAccount: true });
  expect(found.slice(0, 2)).toEqual([
    expect.stringMatching(/^is Account /),
    expect.stringMatching(/^is Send to /),
  ]);
  expect(found.at(-1)).toMatch(/^could be /);
  const alice = devAccounts[0]?.id ?? '';
  expect(guess(alice)[0]).toBe('is Account Alice');
  // An address has a checksum.
  expect(guess(toAddress(any, 42))[0]).toMatch(/^is Account /);
});

it('short bytes are the beginning of keys, or a value; a text that is no bytes is told so', () => {
  expect(guess('0x1234')).toEqual(['could be Keys that begin with 0x1234', 'could be A value of 2 bytes']);
  expect(guess('0x123')).toEqual([]);
  expect(['0x123', '0xzz', '0x', '0x12', 'abc'].map(isOddHex)).toEqual([true, true, false, false, false]);
});

it('asks the node for an account by its key', async () => {
  const alice = devAccounts[0]?.id ?? '';
  const hashOf = (id: string) => real.request('state_getStorageHash', [accountKey(real.meta, id)]);
  expect(await hashOf(alice)).toMatch(/^0x/);
  expect(await hashOf(any)).toBeNull();
  expect(accountKey(real.meta, '0x12')).toBeNull();
});

it('separators of a block number stand between groups of three digits', () => {
  for (const typed of ['1234', '#1234', '1,234', '1 234', '1_234', '1\u{2009}234'])
    expect(guess(typed)).toEqual(['is Block #1234']);
  for (const typed of ['1,5', '1,50', '12,34', '1 2', ',5', '1,2345', '1.5', '1e3'])
    expect(guess(typed)).toEqual([]);
});
