import { describe, expect, test, vi } from 'vitest';
import { readAccount } from '../../../src/scale/address.ts';
import { accountName, stashAccounts } from '../../node/accounts.ts';
import { loadHash, noBlockText } from '../../node/at-block.ts';
import { callText, orderParams, parseParams } from './call-text.ts';
import { digestText } from './digest.ts';
import { readShape } from './extrinsic.ts';
import { clockText, durationText, groupDigits, momentText, shortHex, sizeText } from './format.ts';
import { checkNumbers, prettyJson, splitLines } from './json-text.ts';

const alice = 'd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';

test('does not ask the node for a block number beyond u32', async () => {
  const request = vi.fn(async () => '0xaa');
  const hashes = ['4294967295', '4294967296', '9'.repeat(30)].map((number) =>
    loadHash({ request } as never, number),
  );
  expect(await Promise.all(hashes)).toEqual(['0xaa', null, null]);
  expect(request).toHaveBeenCalledTimes(1);
});

test('megabytes in an address are named by their beginning', () => {
  const megabytes = `0x${'ab'.repeat(1_500_000)}`;
  expect(noBlockText(megabytes, 7)).toMatch(/^“0xabab\w+…abab” is neither a block number nor a hash/);
  expect(noBlockText('9'.repeat(3_000_000), 7)).toMatch(/^This node has no block 9{40}…9{4}: the best one/);
  // Base58 of that length would take hours.
  expect(readAccount('A'.repeat(3_000_000))).toBeNull();
});

test.each([
  ['9007199254740993.0'],
  ['1e400'],
  ['-1e400'],
  ['1e-400'],
  ['0.99999999999999999999'],
  ['9007199254740991.4'],
  [`${'1'.repeat(101)}`],
])('a number that would be sent as another one is refused: %s', (number) => {
  expect(() => checkNumbers(`{"a": [${number}]}`)).toThrow(`${number} would lose digits when sent.`);
  expect(() => checkNumbers(`["${number}"]`)).not.toThrow();
});

test.each(['0', '-0.0', '1.0', '1e21', '1E+2', '0.1', '12.50e-3', '9007199254740993', '1'.repeat(100)])(
  'a number that is sent as it is written passes: %s',
  (number) => expect(() => checkNumbers(`[${number}, "1e400", {"1e400": true}]`)).not.toThrow(),
);

describe('texts', () => {
  test('formats short hashes, grouped numbers and times', () => {
    expect(shortHex(`0x12ab${'0'.repeat(56)}9f3c`)).toBe('0x12ab…9f3c');
    expect(shortHex('0x12ab')).toBe('0x12ab');
    expect(groupDigits(1234567)).toBe('1\u202f234\u202f567');
    expect(clockText(Date.UTC(2026, 0, 2, 0, 3, 4))).toBe('00:03:04');
    expect(clockText(Date.UTC(2026, 0, 2, 0, 3, 4, 56), true)).toBe('00:03:04.056');
    expect([0, 0.1, 4, 250, 12_000].map(durationText)).toEqual([
      '<1 ms',
      '0.1 ms',
      '4.0 ms',
      '250 ms',
      '12.0 s',
    ]);
  });

  test('formats a timestamp of a chain beyond the range of dates', () => {
    expect(momentText(1_795_360_532_000)).toBe('2026-11-22 15:15:32 UTC');
    expect(momentText(Number(2n ** 64n - 1n))).toBe(
      '18\u202f446\u202f744\u202f073\u202f709\u202f552\u202f000 ms',
    );
  });

  test('formats sizes with the next unit instead of four digits', () => {
    expect([0, 999, 9_999, 10_000, 999_949, 999_950].map(sizeText)).toEqual([
      '0 B',
      '999 B',
      '9\u202f999 B',
      '10.0 kB',
      '999.9 kB',
      '1.0 MB',
    ]);
    expect([1_474_600, 10_738_900_000, 2.5e12, 4.2e15].map(sizeText)).toEqual([
      '1.5 MB',
      '10.7 GB',
      '2.5 TB',
      '4200.0 TB',
    ]);
  });

  test('keeps every digit of a big integer in JSON', () => {
    expect(prettyJson({ fee: 2n ** 100n })).toContain('1267650600228229401496703205376');
    expect(prettyJson(undefined)).toBe('undefined');
  });

  test('splits a long text only at line ends', () => {
    const text = prettyJson(Array.from({ length: 100 }, (_, index) => 'x'.repeat(index)));
    const blocks = splitLines(text, 500);
    expect(blocks.length).toBeGreaterThan(8);
    expect(blocks.join('')).toBe(text);
    expect(blocks.slice(0, -1).every((block) => block.endsWith('\n') && block.length > 500)).toBe(true);
    expect(splitLines('y'.repeat(2000), 500)).toHaveLength(1);
    expect(splitLines('', 500)).toEqual([]);
  });
});

describe('envelopes', () => {
  test('reads a bare extrinsic as an inherent, and the signer of a signed one', () => {
    expect(readShape('0x280402000b00f6e1bd9a01')).toMatchObject({ kind: 'inherent', version: 4 });
    const signed = readShape(`0x3d028400${alice}01${'00'.repeat(80)}`);
    expect(signed).toMatchObject({ kind: 'signed', version: 4, signer: `0x${alice}` });
    expect(accountName(`0x${alice}`)).toBe('Alice');
    expect(stashAccounts.map(({ id }) => accountName(id))).toEqual(stashAccounts.map(({ name }) => name));
    expect(stashAccounts[0]?.name).toBe('Alice//stash');
  });

  test('reads a general extrinsic of version 5, and bytes that are not an extrinsic', () => {
    expect(readShape('0x1045000000')).toMatchObject({ kind: 'general', version: 5 });
    expect(readShape('0x')).toMatchObject({ kind: 'unknown' });
  });

  test('names kind and engine of digest items', () => {
    expect(digestText('0x0642414245b501')).toEqual({ kind: 'pre-runtime', engine: 'BABE' });
    expect(digestText('0x08')).toEqual({ kind: 'code updated', engine: null });
  });
});

describe('calls', () => {
  test('parses params: empty, bare values, a list, names', () => {
    expect(parseParams(' ')).toEqual([]);
    expect(parseParams('"0x12", null')).toEqual(['0x12', null]);
    expect(parseParams('[1]')).toEqual([1]);
    expect(parseParams('{"hash":null}')).toEqual({ hash: null });
    expect(() => parseParams('[1')).toThrow(SyntaxError);
  });

  test('orders named params as in the method', () => {
    const names = ['create_empty', 'finalize', 'parent_hash'];
    expect(orderParams({ finalize: true, createEmpty: false }, names)).toEqual([false, true]);
    expect(orderParams({ parent_hash: '0x00' }, names)).toEqual([null, null, '0x00']);
    expect(orderParams([1], [])).toEqual([1]);
    expect(() => orderParams({ nonsense: 1 }, names)).toThrow('nonsense');
  });

  test('copies a call as JSON-RPC', () => {
    const text = callText({ id: 3, method: 'chain_getBlockHash', params: '0' });
    expect(JSON.parse(text)).toEqual({ jsonrpc: '2.0', id: 3, method: 'chain_getBlockHash', params: [0] });
  });
});
