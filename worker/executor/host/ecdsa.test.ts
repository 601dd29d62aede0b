import { describe, expect, test } from 'vitest';
import { concatBytes, equalBytes, textToBytes } from '../../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../bytes/hex.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import { describeFixture, flip } from '../../crypto/vectors.fixture.ts';
import { createKeystore } from '../../keystore/keystore.ts';
import { beginHostCalls } from './host-call.fixture.ts';

const crypto = await loadCrypto();
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const toBytes = (value: bigint): Uint8Array => hexToBytes(value.toString(16).padStart(64, '0'));
const message = textToBytes('which recovery bytes are valid');
const digest = crypto.blake2b256(message);
const { secret, publicKey } = crypto.suriToPair('//Alice', 'ecdsa');
const signature = crypto.ecdsaSign(secret, digest);
const r = signature.subarray(0, 32);
const s = signature.subarray(32, 64);
const v = signature[64] as number;
/** n - s with the other parity signs the same message. */
const highS = toBytes(order - BigInt(bytesToHex(s)));
const withV = (recovery: number, of = s): Uint8Array => concatBytes(r, of, Uint8Array.of(recovery));

const verifying: readonly [name: string, input: Uint8Array][] = [
  ['ext_crypto_ecdsa_verify_version_1', message],
  ['ext_crypto_ecdsa_verify_version_2', message],
  ['ext_crypto_ecdsa_verify_prehashed_version_1', digest],
  ['ext_crypto_ecdsa_batch_verify_version_1', message],
];
const recovering = [1, 2].flatMap((version) => [
  `ext_crypto_secp256k1_ecdsa_recover_version_${version}`,
  `ext_crypto_secp256k1_ecdsa_recover_compressed_version_${version}`,
]);

describe.each(verifying)('%s', (name, input) => {
  const verify = (given: Uint8Array) => beginHostCalls(crypto)(name, given, input, publicKey);
  test('takes the recovery byte as it is', () => {
    const accepted = Array.from({ length: 256 }, (_, recovery) => recovery).filter(
      (recovery) => verify(withV(recovery)) === 1,
    );
    expect(accepted).toEqual([v]);
  });
  test('accepts a high s', () => {
    expect(verify(withV(v ^ 1, highS))).toBe(1);
    expect(verify(withV((v ^ 1) + 27, highS))).toBe(0);
  });
  test('accepts no other key', () => {
    const other = crypto.suriToPair('//Bob', 'ecdsa').publicKey;
    for (const key of [other, new Uint8Array(33), flip(publicKey, 0)])
      expect(beginHostCalls(crypto)(name, signature, input, key)).toBe(0);
  });
});

describe.each(recovering)('%s', (name) => {
  const recover = (recovery: number) => beginHostCalls(crypto)(name, withV(recovery), digest) as Uint8Array;
  test('subtracts 27 from a recovery byte above 26', () => {
    const kinds = Array.from({ length: 256 }, (_, recovery) => recover(recovery));
    for (const id of [0, 1, 2, 3]) expect(kinds[id + 27]).toEqual(kinds[id]);
    expect(kinds[v]?.[0]).toBe(0);
    const bad = kinds.filter((answer) => equalBytes(answer, Uint8Array.of(1, 1)));
    expect(bad.length, 'only 0 to 3 and 27 to 30 are recovery bytes').toBe(256 - 8);
  });
});

test('only version 1 of verify reduces r and s beyond the order', () => {
  // s below 2^256 - n, so that s + n has 32 bytes: no such signature can be made, but it can be computed.
  const small = 5n;
  const forged = (() => {
    const given = concatBytes(r, toBytes(small), Uint8Array.of(v));
    const found = crypto.ecdsaRecover(given, digest, { compressed: true, strict: true });
    if (!found.ok) throw new Error('no key');
    return { key: found.publicKey, given, beyond: concatBytes(r, toBytes(small + order), Uint8Array.of(v)) };
  })();
  const accepts = verifying.map(([name, input]) => [
    beginHostCalls(crypto)(name, forged.given, input, forged.key),
    beginHostCalls(crypto)(name, forged.beyond, input, forged.key),
  ]);
  expect(accepts).toEqual([
    [1, 1],
    [1, 0],
    [1, 0],
    [1, 0],
  ]);
});

describe('ext_crypto_ecdsa_sign_prehashed_version_1', () => {
  const name = 'ext_crypto_ecdsa_sign_prehashed_version_1';
  const keystore = createKeystore({ crypto, db: null });
  const type = textToBytes('beef');
  keystore.insertSuri('beef', 'ecdsa', '//Alice');
  test('signs the digest itself', () => {
    const call = beginHostCalls(crypto, { extensions: { keystore } });
    const answer = call(name, type, publicKey, digest);
    expect(answer).toEqual(Uint8Array.of(1, ...signature));
    expect(answer).toEqual(call('ext_crypto_ecdsa_sign_version_1', type, publicKey, message));
  });
  test('a generated key signs in the same call', () => {
    const attempt = keystore.attempt();
    const made = attempt.host.generate('beef', 'ecdsa', '//Bob');
    const call = beginHostCalls(crypto, { extensions: { keystore: attempt.host } });
    expect(call(name, type, made, digest)).toEqual(
      Uint8Array.of(1, ...crypto.ecdsaSign(crypto.suriToPair('//Bob', 'ecdsa').secret, digest)),
    );
    expect(call(name, type, publicKey, digest)).toEqual(Uint8Array.of(1, ...signature));
  });
  test('is None for another key, and traps without a keystore', () => {
    const call = beginHostCalls(crypto, { extensions: { keystore } });
    expect(call(name, textToBytes('babe'), publicKey, digest)).toEqual(Uint8Array.of(0));
    expect(call(name, type, new Uint8Array(33), digest)).toEqual(Uint8Array.of(0));
    expect(() => beginHostCalls(crypto)(name, type, publicKey, digest)).toThrow('No keystore is available');
  });
});

type Recorded = {
  name: string;
  calls: { name: string; arguments: string[]; answer: number | string | null }[];
};

describeFixture<Recorded[]>('bugs-t3/signatures.json', (entries) => {
  test.each(entries)('$name', ({ calls }) => {
    const call = beginHostCalls(crypto);
    const answers = calls.map(({ name, arguments: values }) => {
      const answer = call(name, ...values);
      return answer instanceof Uint8Array ? bytesToHex(answer) : answer;
    });
    expect(answers).toEqual(calls.map(({ answer }) => answer));
  });
});
