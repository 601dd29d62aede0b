import { describe, expect, test } from 'vitest';
import { concatBytes, noBytes } from '../../../bytes/bytes.ts';
import { peerIdEncode } from '../../../crypto/peer-id.ts';
import { baseOptions, keyOf } from '../pair.fixture.ts';
import { encodeFields } from '../protobuf.ts';
import { cutInto, everySplit } from '../splits.fixture.ts';
import { signIdentity, verifyIdentity } from './identity.ts';
import { fillWith } from './records.ts';
import { createSecure, type Secure, type SecureOptions } from './secure.ts';

const optionsOf = (isDialer: boolean, other: Partial<SecureOptions> = {}): SecureOptions => ({
  ...{ ...baseOptions, isDialer, key: keyOf(isDialer ? 1 : 2) },
  ...other,
});

type Cut = (bytes: Uint8Array) => Iterable<Uint8Array>;
const whole: Cut = (bytes) => [bytes];

/** Both sides, until neither has anything to send. `far` receives in the pieces of `cut`, and so does `near`. */
const shake = (near: Secure, far: Secure, cut: Cut = whole) => {
  const plain: Uint8Array[] = [];
  let toFar: Uint8Array = near.opening;
  while (toFar.length > 0) {
    const toNear: Uint8Array[] = [];
    const back: Uint8Array[] = [];
    for (const piece of cut(toFar))
      far.read(
        piece,
        (bytes) => toNear.push(bytes),
        (bytes) => plain.push(bytes.slice()),
      );
    for (const piece of cut(concatBytes(...toNear)))
      near.read(
        piece,
        (bytes) => back.push(bytes),
        () => undefined,
      );
    toFar = concatBytes(...back);
  }
  return plain;
};

describe('a secure channel', () => {
  test('knows both identities, and carries bytes both ways, wherever they are cut', () => {
    for (const cut of [whole, cutInto(1), cutInto(3, 50), cutInto(97)]) {
      const [near, far] = [createSecure(optionsOf(true)), createSecure(optionsOf(false))];
      expect(near.identity()).toBeNull();
      shake(near, far, cut);
      expect(near.identity()?.remoteId).toBe(peerIdEncode(keyOf(2).publicKey));
      expect(far.identity()?.remoteKey).toEqual(keyOf(1).publicKey);
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        const plain: Uint8Array[] = [];
        const sealed = from.write(fillWith(Uint8Array.of(1, 2, 3))) ?? noBytes;
        to.read(
          sealed,
          () => undefined,
          (bytes) => plain.push(bytes.slice()),
        );
        expect(plain).toEqual([Uint8Array.of(1, 2, 3)]);
      }
    }
  });

  test('fails at every place where the handshake is cut off or altered', () => {
    const near = createSecure(optionsOf(true));
    const far = createSecure(optionsOf(false));
    const replies: Uint8Array[] = [];
    far.read(
      near.opening,
      (bytes) => replies.push(bytes),
      () => undefined,
    );
    const reply = concatBytes(...replies);
    for (const pieces of everySplit(reply.subarray(0, reply.length - 1))) {
      const other = createSecure(optionsOf(true));
      const read = () =>
        pieces.map((piece) =>
          other.read(
            piece,
            () => undefined,
            () => undefined,
          ),
        );
      expect(read).not.toThrow();
      expect(other.identity()).toBeNull();
    }
    // Its ephemeral key is another one, so nothing of the reply is for it.
    expect(() =>
      createSecure(optionsOf(true)).read(
        reply,
        () => undefined,
        () => undefined,
      ),
    ).toThrow(/was altered/);
  });

  test('does not take a message of 4,097 bytes in the handshake', () => {
    const read = (size: number) =>
      createSecure(optionsOf(false)).read(
        concatBytes(Uint8Array.of(size >> 8, size & 255), new Uint8Array(size).fill(9)),
        () => undefined,
        () => undefined,
      );
    expect(() => read(4096)).not.toThrow();
    expect(() => read(4097)).toThrow(/too large/);
  });

  test('is not made with this node itself, or with another peer than the expected one', () => {
    const itself = optionsOf(false, { key: keyOf(1) });
    expect(() => shake(createSecure(optionsOf(true)), createSecure(itself))).toThrow(/this node itself/);
    const expected = peerIdEncode(keyOf(3).publicKey);
    expect(() =>
      shake(createSecure(optionsOf(true, { expectedId: expected })), createSecure(optionsOf(false))),
    ).toThrow(`The node at this address is ${peerIdEncode(keyOf(2).publicKey)}, not ${expected}`);
    expect(() =>
      shake(createSecure(optionsOf(true)), createSecure(optionsOf(false, { expectedId: expected }))),
    ).toThrow(/not 12D3/);
  });
});

describe('an identity', () => {
  const staticKey = new Uint8Array(32).fill(5);
  const own = { ...baseOptions, key: keyOf(1) };
  const payload = signIdentity({ ...own, key: keyOf(2) }, staticKey);

  test('is proven by a signature of the key of the connection', () => {
    expect(verifyIdentity(own, payload, staticKey).remoteKey).toEqual(keyOf(2).publicKey);
    expect(() => verifyIdentity(own, payload, new Uint8Array(32))).toThrow(/has not signed/);
    const forged = concatBytes(encodeFields([1, new Uint8Array(0)]), payload.slice());
    forged[forged.length - 1] = (forged.at(-1) as number) ^ 1;
    expect(() => verifyIdentity(own, forged, staticKey)).toThrow(/has not signed/);
  });

  test.each([
    ['nothing', noBytes, /not an ed25519 key/],
    ['an RSA key', encodeFields([1, Uint8Array.of(8, 0, 18, 2, 1, 2)]), /not an ed25519 key/],
    ['no signature', payload.subarray(0, 38), /has not signed/],
    ['half a message', payload.subarray(0, 50), /ends too early/],
  ])('is not %s', (_name, bytes, message) => {
    expect(() => verifyIdentity(own, bytes, staticKey)).toThrow(message);
  });
});
