import { NodeError } from '../../src/protocol/errors.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { KeyPair } from '../crypto/keys.ts';
import type { KeyScheme, KeystoreHost } from '../executor/extensions.ts';

type SigningCrypto = Pick<Crypto, 'blake2b256' | 'sr25519Sign' | 'ed25519Sign' | 'ecdsaSign'>;

const sign = (crypto: SigningCrypto, pair: KeyPair, message: Uint8Array): Uint8Array => {
  switch (pair.scheme) {
    case 'sr25519':
      return crypto.sr25519Sign(pair.secret, message);
    case 'ed25519':
      return crypto.ed25519Sign(pair.secret, message);
    case 'ecdsa':
      return crypto.ecdsaSign(pair.secret, crypto.blake2b256(message));
    default:
      throw new NodeError('BadKey', `Unknown scheme ${pair.scheme satisfies never}`);
  }
};

type PairOf = (keyType: string, scheme: KeyScheme, publicKey: Uint8Array) => KeyPair | null;

/** Signs with the keys of a store, which may have none of that name and scheme. */
export const createSigning = (
  crypto: SigningCrypto,
  pairOf: PairOf,
): Pick<KeystoreHost, 'sign' | 'signPrehashed'> => ({
  sign: (keyType, scheme, publicKey, message) => {
    const pair = pairOf(keyType, scheme, publicKey);
    return pair === null ? null : sign(crypto, pair, message);
  },
  signPrehashed: (keyType, publicKey, digest) => {
    const pair = pairOf(keyType, 'ecdsa', publicKey);
    return pair === null ? null : crypto.ecdsaSign(pair.secret, digest);
  },
});
