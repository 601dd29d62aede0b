import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { pbkdf2 } from '@noble/hashes/pbkdf2.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { mnemonicToEntropy } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import { getPublicKey, HDKD, secretFromSeed } from '@scure/sr25519';
import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { Writer } from '../bytes/writer.ts';
import type { Junction, Suri } from './suri.ts';
import { parseSuri } from './suri.ts';

export type Scheme = 'sr25519' | 'ed25519' | 'ecdsa';

/** `secret` is what `Crypto`'s sign functions take: 64 bytes for sr25519, else the 32-byte seed. */
export type KeyPair = {
  readonly scheme: Scheme;
  readonly publicKey: Uint8Array;
  readonly secret: Uint8Array;
};

const badKey = (message: string, cause?: unknown): NodeError => new NodeError('BadKey', message, { cause });

/** Mnemonic to mini secret the way of substrate-bip39: from the entropy, not from the words. */
const seedOfPhrase = (phrase: string, password: string): Uint8Array => {
  let entropy: Uint8Array;
  try {
    entropy = mnemonicToEntropy(phrase.trim().replace(/ +/g, ' '), wordlist);
  } catch (cause) {
    throw badKey('the phrase is not an English mnemonic', cause);
  }
  const salt = textToBytes(`mnemonic${password}`.normalize('NFKD'));
  return pbkdf2(sha512, entropy, salt, { c: 2048, dkLen: 64 }).slice(0, 32);
};

const seedOf = ({ phrase, password }: Suri): Uint8Array => {
  if (!phrase.startsWith('0x')) return seedOfPhrase(phrase, password);
  if (!/^0x[0-9a-fA-F]{64}$/.test(phrase)) throw badKey('a hexadecimal seed has 32 bytes');
  return hexToBytes(phrase);
};

/** Hard derivation of the seed-based schemes: blake2b-256 of SCALE (tag, seed, chain code). */
const deriveSeed = (tag: string, seed: Uint8Array, junctions: readonly Junction[]): Uint8Array => {
  let current = seed;
  for (const { soft, chainCode } of junctions) {
    if (soft) throw badKey('only sr25519 has soft derivation');
    const input = new Writer(96).vecBytes(textToBytes(tag)).raw(current).raw(chainCode).finish();
    current = blake2b(input, { dkLen: 32 });
  }
  return current;
};

const ecdsaPair = (secret: Uint8Array): KeyPair => {
  if (!secp256k1.utils.isValidSecretKey(secret)) throw badKey('the seed is not a secp256k1 secret');
  return { scheme: 'ecdsa', publicKey: secp256k1.getPublicKey(secret, true), secret };
};

const sr25519Pair = (seed: Uint8Array, junctions: readonly Junction[]): KeyPair => {
  let secret: Uint8Array = secretFromSeed(seed);
  for (const { soft, chainCode } of junctions) {
    secret = soft ? HDKD.secretSoft(secret, chainCode) : HDKD.secretHard(secret, chainCode);
  }
  return { scheme: 'sr25519', publicKey: getPublicKey(secret), secret };
};

/**
 * The key pair of a secret URI such as "//Alice", "phrase//hard/soft///password" or "0x<32 bytes>//path"
 * (https://docs.rs/sp-core, `Pair::from_string`). A soft derivation has a random nonce half, so the secret differs
 * from call to call and the public key does not. Throws `BadKey`.
 */
export const suriToPair = (suri: string, scheme: Scheme): KeyPair => {
  const parsed = parseSuri(suri);
  const seed = seedOf(parsed);
  switch (scheme) {
    case 'sr25519':
      return sr25519Pair(seed, parsed.junctions);
    case 'ed25519': {
      const secret = deriveSeed('Ed25519HDKD', seed, parsed.junctions);
      return { scheme, publicKey: ed25519.getPublicKey(secret), secret };
    }
    case 'ecdsa':
      return ecdsaPair(deriveSeed('Secp256k1HDKD', seed, parsed.junctions));
  }
};
