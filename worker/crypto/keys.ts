import { NodeError } from '../../src/protocol/errors.ts';
import type { Junction, SecretUri } from '../../src/protocol/secret-uri.ts';
import { developmentPhrase, parseSecretUri } from '../../src/protocol/secret-uri.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { Writer } from '../bytes/writer.ts';
import type { Core } from './core.ts';
import { mnemonicToEntropy } from './mnemonic.ts';
import type { Random } from './sr25519.ts';

export type Scheme = 'sr25519' | 'ed25519' | 'ecdsa';

/** `secret` is the format of `Crypto`'s sign functions: 64 bytes for sr25519, else the 32-byte seed. */
export type KeyPair = {
  readonly scheme: Scheme;
  readonly publicKey: Uint8Array;
  readonly secret: Uint8Array;
};

/**
 * `seed` is the 32 bytes from which the secret was expanded; null after a soft derivation, which has none.
 */
export type DerivedPair = KeyPair & { readonly seed: Uint8Array | null };

export type Keys = {
  /**
   * The key pair of a secret URI such as "//Alice", "phrase//hard/soft///password" or "0x<32 bytes>//path"
   * (https://docs.rs/sp-core, `Pair::from_string`). The nonce half of a soft derivation is random, so the
   * secret differs from call to call but the public key does not. Throws `BadKey`.
   */
  suriToPair(suri: string, scheme: Scheme): DerivedPair;
};

type Deps = { readonly core: Core; readonly random: Random };

const badKey = (message: string, cause?: unknown): NodeError => new NodeError('BadKey', message, { cause });

/**
 * Passes secrets to a call, and erases both them and the result of `length` bytes. Throws `BadKey` if the
 * call returns 0.
 */
const derive = (
  core: Core,
  parts: readonly Uint8Array[],
  call: () => unknown,
  length: number,
): Uint8Array => {
  const used = core.put(...parts);
  const done = call();
  core.wipe(used);
  if (done === 0) throw badKey('the seed is not a secret of the scheme');
  return core.readSecret(length);
};

/** Mnemonic to mini secret as in substrate-bip39: from the entropy, not from the words. */
const seedOfPhrase = (core: Core, phrase: string, password: string): Uint8Array => {
  const sha2256 = (data: Uint8Array) => derive(core, [data], () => core.calls.sha2_256(data.length), 32);
  const entropy = mnemonicToEntropy(sha2256, phrase.trim().split(/ +/));
  if (entropy === null) throw badKey('the phrase is not an English mnemonic');
  // Unlike in BIP-39, the password is taken as it is (substrate-bip39, `seed_from_entropy`).
  const salt = textToBytes(`mnemonic${password}`);
  return derive(core, [entropy, salt], () => core.calls.phrase_seed(entropy.length, salt.length), 32);
};

/**
 * Mini secret of the development phrase, from which //Alice and others are derived. It is public, and
 * stretching it would take 8 ms of each start.
 */
const developmentSeed = '0xfac7959dbfe72f052e5a0c3c8d6530f202b02fd8f9f5ca3580ec8deb7797479e';

/** The seed of a URI. */
const seedOf = (core: Core, { phrase, password }: SecretUri): Uint8Array => {
  if (phrase.startsWith('0x')) {
    // The SDK's parser of hexadecimal digits takes another 0x.
    const [, digits] = /^0x(?:0x)?([0-9a-fA-F]{64})$/.exec(phrase) ?? [];
    if (digits === undefined) throw badKey('a hexadecimal seed has 32 bytes');
    return hexToBytes(digits);
  }
  return phrase === developmentPhrase && password === ''
    ? hexToBytes(developmentSeed)
    : seedOfPhrase(core, phrase, password);
};

/** Hard derivation of the seed-based schemes: blake2b-256 of SCALE (tag, seed, chain code). */
const deriveSeed = (
  core: Core,
  tag: string,
  seed: Uint8Array,
  junctions: readonly Junction[],
): Uint8Array => {
  let current = seed;
  for (const { soft, chainCode } of junctions) {
    if (soft) throw badKey('only sr25519 has soft derivation');
    const input = new Writer(96).vecBytes(textToBytes(tag)).raw(current).raw(chainCode).finish();
    current = derive(core, [input], () => core.calls.blake2b(input.length, 32), 32);
  }
  return current;
};

const sr25519Pair = (
  { core, random }: Deps,
  ofUri: Uint8Array,
  junctions: readonly Junction[],
): DerivedPair => {
  const { calls } = core;
  const expand = (from: Uint8Array) => derive(core, [from], calls.sr25519_secret, 64);
  let seed: Uint8Array | null = ofUri;
  let secret = expand(seed);
  for (const { soft, chainCode } of junctions) {
    seed = soft ? null : derive(core, [secret, chainCode], () => calls.sr25519_derive(0), 32);
    secret =
      seed === null
        ? derive(core, [secret, chainCode, random(32)], () => calls.sr25519_derive(1), 64)
        : expand(seed);
  }
  return { scheme: 'sr25519', publicKey: derive(core, [secret], calls.sr25519_public, 32), secret, seed };
};

export const createKeys = (deps: Deps): Keys => {
  const { core } = deps;
  const { calls } = core;
  const blake2b256 = (data: Uint8Array) => derive(core, [data], () => calls.blake2b(data.length, 32), 32);
  return {
    suriToPair(suri, scheme) {
      const parsed = parseSecretUri(blake2b256, suri);
      const { junctions } = parsed;
      const seed = seedOf(core, parsed);
      if (scheme === 'sr25519') return sr25519Pair(deps, seed, junctions);
      if (scheme === 'ed25519') {
        const secret = deriveSeed(core, 'Ed25519HDKD', seed, junctions);
        return { scheme, publicKey: derive(core, [secret], calls.ed25519_public, 32), secret, seed: secret };
      }
      const publicOf = (secret: Uint8Array) => derive(core, [secret], calls.ecdsa_public, 33);
      // Not each 32 bytes are a secret of secp256k1, and what is none has nothing to derive.
      if (junctions.length > 0) publicOf(seed);
      const secret = deriveSeed(core, 'Secp256k1HDKD', seed, junctions);
      return { scheme, publicKey: publicOf(secret), secret, seed: secret };
    },
  };
};
