import { blake2AsU8a } from '@polkadot/util-crypto/blake2';
import { ed25519PairFromSeed, ed25519Sign, ed25519Verify } from '@polkadot/util-crypto/ed25519';
import { ethereumEncode } from '@polkadot/util-crypto/ethereum';
import { secp256k1PairFromSeed, secp256k1Sign, secp256k1Verify } from '@polkadot/util-crypto/secp256k1';
import { sr25519PairFromSeed, sr25519Sign, sr25519Verify } from '@polkadot/util-crypto/sr25519';
import { fromHex } from '../scale/hex.ts';

/** The types of keys that accounts of polkadot-js have. */
export const keyTypes = ['sr25519', 'ed25519', 'ecdsa', 'ethereum'] as const;
export type KeyType = (typeof keyTypes)[number];

/**
 * A key pair as polkadot-js lays it out: `publicKey` 32 bytes, or 33 on secp256k1 (ecdsa, ethereum); `secret` 64 bytes
 * (sr25519: scalar and nonce; ed25519: seed and public key), or the 32 of a secp256k1 scalar.
 */
export type Pair = { readonly type: KeyType; readonly publicKey: Uint8Array; readonly secret: Uint8Array };

const fromSeed = {
  sr25519: sr25519PairFromSeed,
  ed25519: ed25519PairFromSeed,
  ecdsa: secp256k1PairFromSeed,
  ethereum: secp256k1PairFromSeed,
} as const;

/** The pair of a 32-byte seed. Throws the library's error if the seed is no scalar of secp256k1. */
export const pairOfSeed = (type: KeyType, seed: Uint8Array): Pair => {
  // A copy, because some functions of the library keep what they are given.
  const { publicKey, secretKey } = fromSeed[type](seed.slice());
  return { type, publicKey, secret: secretKey };
};

/**
 * The signature of a message, without a byte for its scheme: 64 bytes, or 65 on secp256k1, over the BLAKE2b-256 hash of the message
 * (ecdsa) or its Keccak-256 hash (ethereum).
 */
export const signMessage = ({ type, publicKey, secret }: Pair, message: Uint8Array): Uint8Array => {
  const pair = { publicKey, secretKey: secret.slice() };
  try {
    if (type === 'sr25519') return sr25519Sign(message, pair);
    if (type === 'ed25519') return ed25519Sign(message, pair);
    return secp256k1Sign(message, pair, type === 'ethereum' ? 'keccak' : 'blake2');
  } finally {
    pair.secretKey.fill(0);
  }
};

/**
 * Whether a signature of 65 bytes over the Keccak-256 hash of a message is by the key of an Ethereum address (20 bytes). As in the SDK's
 * `secp256k1_ecdsa_recover`, the last byte may be 27 or 28 instead of 0 or 1.
 */
export const verifyEthereum = (signature: Uint8Array, message: Uint8Array, address: Uint8Array): boolean => {
  const given = signature.slice();
  const v = given[64] ?? 0;
  if (v === 27 || v === 28) given[64] = v - 27;
  try {
    return secp256k1Verify(message, given, address, 'keccak');
  } catch {
    // The library throws for values that are no signature.
    return false;
  }
};

/** Whether a signature, as `signMessage` returns it, is by the key of a Substrate account id over a message. */
export const isSignatureOf = (
  type: Exclude<KeyType, 'ethereum'>,
  signature: Uint8Array,
  message: Uint8Array,
  accountId: Uint8Array,
): boolean => {
  try {
    if (type === 'sr25519') return sr25519Verify(message, signature, accountId);
    if (type === 'ed25519') return ed25519Verify(message, signature, accountId);
    return secp256k1Verify(message, signature, accountId, 'blake2');
  } catch {
    // The library throws if the account id is no public key of the scheme.
    return false;
  }
};

/** The id of an account: the key itself, its BLAKE2b-256 hash for ecdsa, or the 20 bytes of an Ethereum address. */
export const accountIdOf = ({ type, publicKey }: Pick<Pair, 'type' | 'publicKey'>): Uint8Array => {
  if (type === 'ethereum') return fromHex(ethereumEncode(publicKey));
  return type === 'ecdsa' ? blake2AsU8a(publicKey) : publicKey;
};

export const isEqual = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

const probe = new TextEncoder().encode('Do both halves belong together?');

/**
 * A pair of a 64-byte secret and its public key; null if they do not belong together. An ed25519 secret begins with its seed, that
 * of sr25519 does not, so a signature is what tells.
 */
export const pairOfSecret = (type: KeyType, secret: Uint8Array, publicKey: Uint8Array): Pair | null => {
  try {
    if (secret.length === 32 || type !== 'sr25519') {
      const pair = pairOfSeed(type, secret.subarray(0, 32));
      return secret.length === 32 || isEqual(pair.secret, secret) ? pair : null;
    }
    const pair: Pair = { type, publicKey: publicKey.slice(), secret: secret.slice() };
    return sr25519Verify(probe, signMessage(pair, probe), publicKey) ? pair : null;
  } catch {
    return null;
  }
};
