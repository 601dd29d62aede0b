import { describe, expect, test } from 'vitest';
import vectors from '../../test/vectors/secret-uris.json' with { type: 'json' };
import { bytesToHex, bytesToHexOrNull } from '../bytes/hex.ts';
import { loadCrypto } from './crypto.ts';

const crypto = await loadCrypto();

const derive = (uri: string, scheme: 'sr25519' | 'ed25519' | 'ecdsa' = 'sr25519') => {
  try {
    const { publicKey, seed } = crypto.suriToPair(uri, scheme);
    return { publicKey: bytesToHex(publicKey), seed: bytesToHexOrNull(seed) };
  } catch (error) {
    expect(error).toMatchObject({ code: 'BadKey' });
    return { publicKey: null, seed: null };
  }
};

/** Only `key inspect` takes a phrase with other characters; a secret URI with such a phrase is refused. */
const isAscii = (uri: string): boolean => /^[a-zA-Z0-9 ]*(\/|$)/.test(uri);

describe('secret URIs of all scripts give the keys of a native node, or are refused as there', () => {
  test.each(vectors)('$uri', ({ uri, publicKey, seed }) => {
    expect(derive(uri)).toEqual(isAscii(uri) ? { publicKey, seed } : { publicKey: null, seed: null });
  });
});

test.each(['sr25519', 'ed25519', 'ecdsa'] as const)(
  '%s: composed and decomposed letters differ',
  (scheme) => {
    for (const before of ['//', '///'])
      expect(derive(`${before}\u00e9`, scheme)).not.toEqual(derive(`${before}e\u0301`, scheme));
  },
);
