import { createCipheriv, createHmac, createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRandom } from '../../test/rigs/random.ts';
import { concatBytes, noBytes, textToBytes } from '../bytes/bytes.ts';
import { hexToBytes } from '../bytes/hex.ts';
import { agreeOn, createCipher, deriveTwo, exchangeKeys, tagBytes } from './network-ciphers.ts';

/** The same secret in Node.js: its DER form (RFC 8410) is a prefix and the 32 bytes. */
const nodeKeys = (secret: Uint8Array) => {
  const der = concatBytes(hexToBytes('302e020100300506032b656e04220420'), secret);
  const privateKey = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
};

test('two sides agree on the secret that Node.js agrees on', () => {
  const random = createRandom(3);
  for (let count = 0; count < 10; count++) {
    const [one, two] = [0, 1].map(() => Uint8Array.from({ length: 32 }, () => random() * 256));
    const [near, far] = [exchangeKeys(one as Uint8Array), exchangeKeys(two as Uint8Array)];
    const theirs = nodeKeys(one as Uint8Array);
    const { publicKey } = nodeKeys(two as Uint8Array);
    const der = new Uint8Array(theirs.publicKey.export({ format: 'der', type: 'spki' }));
    expect(near.publicKey).toEqual(der.slice(-32));
    const shared = new Uint8Array(diffieHellman({ privateKey: theirs.privateKey, publicKey }));
    expect(agreeOn(near, far.publicKey)).toEqual(shared);
    expect(agreeOn(far, near.publicKey)).toEqual(shared);
  }
  expect(() => agreeOn(exchangeKeys(new Uint8Array(32).fill(1)), new Uint8Array(32))).toThrow();
});

test('messages are those of Node.js, in place and at any alignment, each with the next nonce', () => {
  const random = createRandom(11);
  const bytes = (length: number) => Uint8Array.from({ length }, () => random() * 256);
  const key = bytes(32);
  const [sealing, opening] = [createCipher(key), createCipher(key)];
  for (let count = 0; count < 200; count++) {
    const context = bytes(count % 3 === 0 ? 0 : 32);
    const plain = bytes(Math.floor(random() * 300));
    const nonce = new Uint8Array(12);
    nonce[4] = count;
    const theirs = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: tagBytes });
    theirs.setAAD(context, { plaintextLength: plain.length });
    const expected = concatBytes(theirs.update(plain), theirs.final(), theirs.getAuthTag());
    const shift = count % 5;
    const buffer = new Uint8Array(shift + plain.length + tagBytes);
    buffer.set(plain, shift);
    const out = buffer.subarray(shift);
    sealing.seal(context, buffer.subarray(shift, shift + plain.length), out);
    expect(out).toEqual(expected);
    const opened = new Uint8Array(plain.length);
    opening.open(context, out, opened);
    expect(opened).toEqual(plain);
  }
});

test('what was altered is not opened', () => {
  const key = new Uint8Array(32).fill(7);
  const sealed = new Uint8Array(3 + tagBytes);
  createCipher(key).seal(noBytes, Uint8Array.of(1, 2, 3), sealed);
  for (let at = 0; at < sealed.length; at++) {
    const altered = sealed.slice();
    altered[at] = (altered[at] as number) ^ 1;
    const out = new Uint8Array(3);
    expect(() => createCipher(key).open(noBytes, altered, out)).toThrow();
    expect(out).toEqual(new Uint8Array(3));
  }
});

test('keys are derived as RFC 5869 does', () => {
  const [chaining, secret] = [textToBytes('chaining'), textToBytes('secret')];
  const hmac = (key: Uint8Array, data: Uint8Array) =>
    new Uint8Array(createHmac('sha256', key).update(data).digest());
  const extracted = hmac(chaining, secret);
  const first = hmac(extracted, Uint8Array.of(1));
  expect(deriveTwo(chaining, secret)).toEqual([first, hmac(extracted, concatBytes(first, Uint8Array.of(2)))]);
});
