import { describe, expect, test } from 'vitest';
import { loadCrypto } from '../../crypto/crypto.ts';
import { flip } from '../../crypto/vectors.fixture.ts';
import { createSignatureCache, deferSignatures } from '../signature-cache.ts';
import { beginHostCalls } from './host-call.fixture.ts';

const crypto = await loadCrypto();
const message = new TextEncoder().encode('a message in a batch');
const digest = crypto.blake2b256(message);
const pair = (scheme: 'sr25519' | 'ed25519' | 'ecdsa') => crypto.suriToPair('//Alice', scheme);
const keys = { sr25519: pair('sr25519'), ed25519: pair('ed25519'), ecdsa: pair('ecdsa') };
const signatures = {
  sr25519: crypto.sr25519Sign(keys.sr25519.secret, message),
  ed25519: crypto.ed25519Sign(keys.ed25519.secret, message),
  ecdsa: crypto.ecdsaSign(keys.ecdsa.secret, digest),
};
type Scheme = keyof typeof keys;

const start = 'ext_crypto_start_batch_verify_version_1';
const finish = 'ext_crypto_finish_batch_verify_version_1';
const plain: readonly [name: string, scheme: Scheme, input: Uint8Array][] = [
  ['ext_crypto_ed25519_verify_version_1', 'ed25519', message],
  ['ext_crypto_sr25519_verify_version_1', 'sr25519', message],
  ['ext_crypto_sr25519_verify_version_2', 'sr25519', message],
  ['ext_crypto_ecdsa_verify_version_1', 'ecdsa', message],
  ['ext_crypto_ecdsa_verify_version_2', 'ecdsa', message],
  ['ext_crypto_ecdsa_verify_prehashed_version_1', 'ecdsa', digest],
];
const batched: readonly [name: string, scheme: Scheme, input: Uint8Array][] = [
  ['ext_crypto_ed25519_batch_verify_version_1', 'ed25519', message],
  ['ext_crypto_sr25519_batch_verify_version_1', 'sr25519', message],
  ['ext_crypto_ecdsa_batch_verify_version_1', 'ecdsa', message],
];
const good = (scheme: Scheme): Uint8Array => signatures[scheme];
/** A signature with one bit of r flipped: no scheme accepts it. */
const wrong = (scheme: Scheme): Uint8Array => flip(signatures[scheme], 9);

/** The rules of sp-io (`Crypto`, `VerificationExtDeprecated`). */
describe('a batch of signatures', () => {
  test.each(plain)('%s does not belong to it', (name, scheme, input) => {
    const call = beginHostCalls(crypto);
    const { publicKey } = keys[scheme];
    call(start);
    expect(call(name, wrong(scheme), input, publicKey)).toBe(0);
    expect(call(name, good(scheme), input, publicKey)).toBe(1);
    expect(call(finish)).toBe(1);
  });
  test.each(batched)('%s belongs to it', (name, scheme, input) => {
    const call = beginHostCalls(crypto);
    const { publicKey } = keys[scheme];
    call(start);
    expect(call(name, good(scheme), input, publicKey)).toBe(1);
    expect(call(finish)).toBe(1);
    call(start);
    expect(call(name, wrong(scheme), input, publicKey)).toBe(0);
    expect(call(name, good(scheme), input, publicKey)).toBe(1);
    expect(call(finish)).toBe(0);
    call(start);
    expect(call(finish), 'the next batch starts anew').toBe(1);
  });
  test.each(batched)('%s verifies at once without one', (name, scheme, input) => {
    const call = beginHostCalls(crypto);
    const { publicKey } = keys[scheme];
    expect(call(name, wrong(scheme), input, publicKey)).toBe(0);
    expect(call(name, good(scheme), input, publicKey)).toBe(1);
    call(start);
    expect(call(finish), 'results from before the batch').toBe(1);
  });
  test('of the wrong order traps', () => {
    const call = beginHostCalls(crypto);
    expect(() => call(finish)).toThrow('No batch verification is open');
    call(start);
    expect(() => call(start)).toThrow('already open');
    expect(call(finish), 'the batch that was open').toBe(1);
    expect(() => call(finish)).toThrow('No batch verification is open');
  });
  test('the sr25519 rule is that of version 2', () => {
    const unmarked = signatures.sr25519.slice();
    unmarked[63] = (unmarked[63] as number) & 0x7f;
    const call = beginHostCalls(crypto);
    const { publicKey } = keys.sr25519;
    expect(call('ext_crypto_sr25519_batch_verify_version_1', unmarked, message, publicKey)).toBe(0);
  });
  test('verified later in a trial, it counts as valid until then', () => {
    const deferred = deferSignatures(createSignatureCache());
    const call = beginHostCalls(crypto, { verifiedSignatures: deferred.signatures });
    const { publicKey } = keys.sr25519;
    call(start);
    expect(call('ext_crypto_sr25519_batch_verify_version_1', wrong('sr25519'), message, publicKey)).toBe(1);
    expect(call(finish)).toBe(1);
    expect(deferred.verifyNext()).toBe(true);
    expect(deferred.verifyNext()).toBe(false);
  });
});
