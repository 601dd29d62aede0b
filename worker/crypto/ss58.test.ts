import { decodeAddress, encodeAddress } from '@polkadot/util-crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadCrypto } from './crypto.ts';
import { ss58Decode, ss58Encode } from './ss58.ts';

const crypto = await loadCrypto();

const keys = fc
  .integer({ min: 32, max: 33 })
  .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
// 46 and 47 are reserved; util-crypto refuses to encode them.
const prefixes = fc.nat(16383).filter((prefix) => prefix !== 46 && prefix !== 47);

test('agrees with @polkadot/util-crypto', () => {
  fc.assert(
    fc.property(keys, prefixes, (key, prefix) => {
      const text = ss58Encode(crypto, key, prefix);
      expect(text).toBe(encodeAddress(key, prefix));
      expect(decodeAddress(text, false, prefix)).toEqual(key);
      expect(ss58Decode(crypto, text)).toEqual({ publicKey: key, prefix });
    }),
  );
});

test('detects a changed character', () => {
  const text = ss58Encode(crypto, new Uint8Array(32).fill(5), 42);
  for (const bad of [
    text.replace(/.$/, text.endsWith('2') ? '3' : '2'),
    `${text}1`,
    text.slice(1),
    '',
    '0',
    'l',
  ]) {
    expect(() => ss58Decode(crypto, bad)).toThrow(expect.objectContaining({ code: 'BadKey' }));
  }
});

test('reports what cannot be encoded', () => {
  expect(() => ss58Encode(crypto, new Uint8Array(31), 42)).toThrow(/^publicKey/);
  expect(() => ss58Encode(crypto, new Uint8Array(32), 16384)).toThrow(/^prefix/);
});
