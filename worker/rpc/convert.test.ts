import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/addresses.json' with { type: 'json' };
import { loadCrypto } from '../crypto/crypto.ts';
import { ss58Encode } from '../crypto/ss58.ts';
import { readAddress } from './convert.ts';

const crypto = await loadCrypto();
const read = (address: string, ss58Format: unknown = 42) =>
  readAddress({ crypto, chain: { spec: { properties: { ss58Format } } } }, address);

describe('an address is taken or refused as by a native node', () => {
  test.each(vectors)('$name', ({ address, refused }) => {
    if (refused === null) expect(read(address)).toHaveLength(32);
    else
      expect(() => read(address)).toThrow(
        expect.objectContaining({ code: -32602, message: 'Invalid params', data: refused }),
      );
  });
});

test("a prefix that is not registered is taken on its own chain, and every chain takes the registry's", () => {
  const key = new Uint8Array(32).fill(9);
  const own = ss58Encode(crypto, key, 16_383);
  expect(read(own, 16_383)).toEqual(key);
  for (const other of [42, 16_382, '16383', undefined])
    expect(() => read(own, other)).toThrow(expect.objectContaining({ code: -32602 }));
  expect(read(ss58Encode(crypto, key, 1284), 16_383)).toEqual(key);
});

test('a reserved prefix is refused even if a specification names it', () => {
  const text = ss58Encode(crypto, new Uint8Array(32), 46);
  expect(() => read(text, 46)).toThrow(
    expect.objectContaining({ data: expect.stringContaining('Disallowed') }),
  );
});
