import { bytesToText } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import type { KeyScheme, KeystoreHost } from '../extensions.ts';
import { Trap } from '../trap.ts';
import type { HostContext, HostFunction } from './context.ts';

/** Newer functions pass the pointer to a fixed-size blob as an i64. */
const toPointer = (value: number | bigint): number =>
  typeof value === 'number' ? value : Number(BigInt.asUintN(32, value));

const signatureBytes: Readonly<Record<KeyScheme, number>> = { sr25519: 64, ed25519: 64, ecdsa: 65 };
const publicBytes: Readonly<Record<KeyScheme, number>> = { sr25519: 32, ed25519: 32, ecdsa: 33 };

const keystoreOf = (host: HostContext): KeystoreHost => {
  const keystore = host.call.extensions.keystore;
  if (keystore === undefined) throw new Trap('No keystore is available in this call');
  return keystore;
};
const keyTypeAt = (host: HostContext, pointer: number): string =>
  String.fromCharCode(...host.memory.fixed(pointer, 4));

type Check = (
  host: HostContext,
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
) => boolean;

/** What becomes of the result of a verification besides being returned. */
type Settle = (host: HostContext, valid: boolean) => number;

const alone: Settle = (_host, valid) => (valid ? 1 : 0);
/**
 * Only the `*_batch_verify` functions add to the batch that `start_batch_verify` opened; without one, they
 * verify like the plain ones (sp-io, `Crypto`).
 */
const inBatch: Settle = (host, valid) => {
  if (host.call.batch !== null) host.call.batch &&= valid;
  return alone(host, valid);
};

const verification = (
  name: string,
  scheme: KeyScheme,
  variant: string,
  check: Check,
  settle: Settle = alone,
): HostFunction => ({
  name,
  params: 'iIi',
  results: 'i',
  create: (host) => (signaturePointer: number, messageSpan: bigint, publicPointer: number) => {
    const signature = host.memory.fixed(signaturePointer, signatureBytes[scheme]);
    const message = host.memory.copy(messageSpan);
    const publicKey = host.memory.fixed(publicPointer, publicBytes[scheme]);
    const cache = host.call.verifiedSignatures;
    const verify = (): boolean => {
      if (cache?.has(variant, signature, message, publicKey)) return true;
      const valid = check(host, signature, message, publicKey);
      if (valid) cache?.add(variant, signature, message, publicKey);
      return valid;
    };
    return settle(host, cache?.defer?.(variant, { signature, message, publicKey }, verify) || verify());
  },
});

const ed25519: Check = (host, signature, message, publicKey) =>
  host.crypto.ed25519Verify(signature, message, publicKey);
const sr25519: Check = (host, signature, message, publicKey) =>
  host.crypto.sr25519Verify(signature, message, publicKey);
const sr25519Legacy: Check = (host, signature, message, publicKey) =>
  host.crypto.sr25519VerifyLegacy(signature, message, publicKey);
const ecdsaTolerant: Check = ({ crypto }, signature, message, publicKey) =>
  crypto.ecdsaVerify(signature, crypto.blake2b256(message), publicKey, { strict: false });
const ecdsaStrict: Check = ({ crypto }, signature, message, publicKey) =>
  crypto.ecdsaVerify(signature, crypto.blake2b256(message), publicKey, { strict: true });

const verifications: readonly HostFunction[] = [
  verification('ext_crypto_ed25519_verify_version_1', 'ed25519', 'ed25519', ed25519),
  verification('ext_crypto_ed25519_batch_verify_version_1', 'ed25519', 'ed25519', ed25519, inBatch),
  verification('ext_crypto_sr25519_verify_version_1', 'sr25519', 'sr25519-legacy', sr25519Legacy),
  verification('ext_crypto_sr25519_verify_version_2', 'sr25519', 'sr25519', sr25519),
  verification('ext_crypto_sr25519_batch_verify_version_1', 'sr25519', 'sr25519', sr25519, inBatch),
  verification('ext_crypto_ecdsa_verify_version_1', 'ecdsa', 'ecdsa-tolerant', ecdsaTolerant),
  verification('ext_crypto_ecdsa_verify_version_2', 'ecdsa', 'ecdsa', ecdsaStrict),
  verification('ext_crypto_ecdsa_batch_verify_version_1', 'ecdsa', 'ecdsa', ecdsaStrict, inBatch),
  {
    name: 'ext_crypto_ecdsa_verify_prehashed_version_1',
    params: 'iii',
    also: 'iIi',
    results: 'i',
    create: (host) => (signature: number, digest: number | bigint, publicKey: number) =>
      alone(
        host,
        host.crypto.ecdsaVerify(
          host.memory.fixed(signature, 65),
          host.memory.fixed(toPointer(digest), 32),
          host.memory.fixed(publicKey, 33),
          { strict: true },
        ),
      ),
  },
  {
    name: 'ext_crypto_start_batch_verify_version_1',
    params: '',
    results: '',
    create: (host) => () => {
      if (host.call.batch !== null) throw new Trap('A batch verification is already open');
      host.call.batch = true;
    },
  },
  {
    name: 'ext_crypto_finish_batch_verify_version_1',
    params: '',
    results: 'i',
    create: (host) => () => {
      const answer = host.call.batch;
      if (answer === null) throw new Trap('No batch verification is open');
      host.call.batch = null;
      return answer ? 1 : 0;
    },
  },
];

const recovery = (name: string, compressed: boolean, strict: boolean): HostFunction => ({
  name,
  params: 'ii',
  results: 'I',
  create: (host) => (signature: number, digest: number) => {
    const answer = host.crypto.ecdsaRecover(host.memory.fixed(signature, 65), host.memory.fixed(digest, 32), {
      compressed,
      strict,
    });
    const out = new Writer(66);
    if (!answer.ok) return host.memory.allocWrite(out.u8(1).u8(answer.error).finish());
    // The runtime expects the 64 bytes without the leading 04 of an uncompressed point.
    const key =
      !compressed && answer.publicKey.length === 65 ? answer.publicKey.subarray(1) : answer.publicKey;
    return host.memory.allocWrite(out.u8(0).raw(key).finish());
  },
});

const recoveries: readonly HostFunction[] = [
  recovery('ext_crypto_secp256k1_ecdsa_recover_version_1', false, false),
  recovery('ext_crypto_secp256k1_ecdsa_recover_version_2', false, true),
  recovery('ext_crypto_secp256k1_ecdsa_recover_compressed_version_1', true, false),
  recovery('ext_crypto_secp256k1_ecdsa_recover_compressed_version_2', true, true),
];

const publicKeys = (name: string, scheme: KeyScheme): HostFunction => ({
  name,
  params: 'i',
  also: 'I',
  results: 'I',
  create: (host) => (keyType: number | bigint) => {
    const keys = keystoreOf(host).publicKeys(keyTypeAt(host, toPointer(keyType)), scheme);
    return host.memory.allocWrite(new Writer().vec(keys, (writer, key) => writer.raw(key)).finish());
  },
});

const decodeSuri = (host: HostContext, span: bigint): string | null => {
  const suri = new Reader(host.memory.copy(span)).option((reader) => reader.vecBytes());
  if (suri === null) return null;
  try {
    return bytesToText(suri);
  } catch {
    throw new Trap('The secret URI is not UTF-8');
  }
};

const generation = (name: string, scheme: KeyScheme): HostFunction => ({
  name,
  params: 'iI',
  results: 'i',
  create: (host) => (keyType: number, suri: bigint) =>
    host.memory.allocWritePointer(
      keystoreOf(host).generate(keyTypeAt(host, keyType), scheme, decodeSuri(host, suri)),
    ),
});

const signing = (name: string, scheme: KeyScheme): HostFunction => ({
  name,
  params: 'iiI',
  results: 'I',
  create: (host) => (keyType: number, publicKey: number, message: bigint) => {
    const key = host.memory.fixed(publicKey, publicBytes[scheme]);
    const signature = keystoreOf(host).sign(keyTypeAt(host, keyType), scheme, key, host.memory.copy(message));
    return host.memory.allocWrite(
      new Writer(66).option(signature, (writer, value) => writer.raw(value)).finish(),
    );
  },
});

/** sp-io: the digest is a pointer to 32 bytes; modules that pass it as an i64 exist as well. */
const signingPrehashed: HostFunction = {
  name: 'ext_crypto_ecdsa_sign_prehashed_version_1',
  params: 'iii',
  also: 'iiI',
  results: 'I',
  create: (host) => (keyType: number, publicKey: number, digest: number | bigint) => {
    const key = host.memory.fixed(publicKey, publicBytes.ecdsa);
    const signature = keystoreOf(host).signPrehashed(
      keyTypeAt(host, keyType),
      key,
      host.memory.fixed(toPointer(digest), 32),
    );
    return host.memory.allocWrite(
      new Writer(66).option(signature, (writer, value) => writer.raw(value)).finish(),
    );
  },
};

const keys: readonly HostFunction[] = [
  publicKeys('ext_crypto_ed25519_public_keys_version_1', 'ed25519'),
  publicKeys('ext_crypto_sr25519_public_keys_version_1', 'sr25519'),
  publicKeys('ext_crypto_ecdsa_public_keys_version_1', 'ecdsa'),
  generation('ext_crypto_ed25519_generate_version_1', 'ed25519'),
  generation('ext_crypto_sr25519_generate_version_1', 'sr25519'),
  generation('ext_crypto_ecdsa_generate_version_1', 'ecdsa'),
  signing('ext_crypto_ed25519_sign_version_1', 'ed25519'),
  signing('ext_crypto_sr25519_sign_version_1', 'sr25519'),
  signing('ext_crypto_ecdsa_sign_version_1', 'ecdsa'),
  signingPrehashed,
];

/** Host functions for signatures, recovery and the keystore. */
export const cryptoFunctions: readonly HostFunction[] = [...verifications, ...recoveries, ...keys];
