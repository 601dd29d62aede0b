import { describe, expect, test } from 'vitest';
import { concatBytes, noBytes } from '../../../bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../../../bytes/hex.ts';
import { createCipher, exchangeKeys, tagBytes } from '../../../crypto/network-ciphers.ts';
import { createNoiseXx } from './noise.ts';

/**
 * `Noise_XX_25519_ChaChaPoly_SHA256` of vectors/cacophony.txt in github.com/haskell-cryptography/cacophony, commit
 * 8ee9d41e (public domain).
 */
const vector = {
  prologue: '4a6f686e2047616c74',
  dialing: {
    static: 'e61ef9919cde45dd5f82166404bd08e38bceb5dfdfded0a34c8df7ed542214d1',
    ephemeral: '893e28b9dc6ca8d611ab664754b8ceb7bac5117349a4439a6b0569da977c464a',
  },
  listening: {
    static: '4a3acbfdb163dec651dfa3194dece676d437029c62a408b4c5ea9114246e4893',
    ephemeral: 'bbdb4cdbd309f1a1f2e1456967fe288cadd6f712d65dc7b7793d5e63da6b375b',
  },
  hash: '0xc8e5f64e846193be2a834104c2a009868d6c9f3bd3c186299888b488b2f1f58e',
  handshake: [
    [
      '4c756477696720766f6e204d69736573',
      'ca35def5ae56cec33dc2036731ab14896bc4c75dbb07a61f879f8e3afa4c79444c756477696720766f6e204d69736573',
    ],
    [
      '4d757272617920526f746862617264',
      '95ebc60d2b1fa672c1f46a8aa265ef51bfe38e7ccb39ec5be34069f14480884381cbad1f276e038c48378ffce2b65285e08d6b68aaa3629a5a8639392490e5b9bd5269c2f1e4f488ed8831161f19b7815528f8982ffe09be9b5c412f8a0db50f8814c7194e83f23dbd8d162c9326ad',
    ],
    [
      '462e20412e20486179656b',
      'c7195ffacac1307ff99046f219750fc47693e23c3cb08b89c2af808b444850a80ae475b9df0f169ae80a89be0865b57f58c9fea0d4ec82a286427402f113e4b6ae769a1d95941d49b25030',
    ],
  ],
  /** Alternately of the listening and of the dialing side. */
  transport: [
    ['4361726c204d656e676572', '96763ed773f8e47bb3712f0e29b3060ffc956ffc146cee53d5e1df'],
    [
      '4a65616e2d426170746973746520536179',
      '3e40f15f6f3a46ae446b253bf8b1d9ffb6ed9b174d272328ff91a7e2e5c79c07f5',
    ],
    [
      '457567656e2042f6686d20766f6e2042617765726b',
      'eb3f3515110702e047a6c9da4478b6ead94873c11c0f2d710ddb3f09fce024b3a58502ae3f',
    ],
  ],
} as const;

const side = (isDialer: boolean) => {
  const keys = isDialer ? vector.dialing : vector.listening;
  return createNoiseXx({
    isDialer,
    staticKeys: exchangeKeys(hexToBytes(keys.static)),
    ephemeralKeys: exchangeKeys(hexToBytes(keys.ephemeral)),
    prologue: hexToBytes(vector.prologue),
  });
};

const pair = () => {
  const [dialing, listening] = [side(true), side(false)];
  /** Who writes the message of a step, and who reads it. */
  const at = (step: number) =>
    step % 2 === 0 ? { from: dialing, to: listening } : { from: listening, to: dialing };
  return { dialing, listening, at };
};

describe('the handshake', () => {
  test('is that of the published vector, on both sides', () => {
    const { dialing, listening, at } = pair();
    for (const [step, [payload, message]] of vector.handshake.entries()) {
      const { from, to } = at(step);
      expect(bytesToHex(from.write(hexToBytes(payload)))).toBe(`0x${message}`);
      expect(bytesToHex(to.read(hexToBytes(message)))).toBe(`0x${payload}`);
    }
    const [near, far] = [dialing.finish(), listening.finish()];
    expect(bytesToHex(near.hash)).toBe(vector.hash);
    expect(bytesToHex(far.hash)).toBe(vector.hash);
    expect([near.sending, near.receiving]).toEqual([far.receiving, far.sending]);
    expect(listening.remoteStatic()).toEqual(exchangeKeys(hexToBytes(vector.dialing.static)).publicKey);
    expect(dialing.remoteStatic()).toEqual(exchangeKeys(hexToBytes(vector.listening.static)).publicKey);
    const ciphers = [createCipher(far.sending), createCipher(near.sending)];
    for (const [step, [payload, message]] of vector.transport.entries()) {
      const plain = hexToBytes(payload);
      const out = new Uint8Array(plain.length + tagBytes);
      ciphers[step % 2]?.seal(noBytes, plain, out);
      expect(bytesToHex(out)).toBe(`0x${message}`);
    }
  });

  test('ends when a bit of an encrypted message is flipped', () => {
    for (const step of [1, 2]) {
      const message = hexToBytes(vector.handshake[step]?.[1] ?? '');
      for (let at = 0; at < message.length; at++) {
        const { from, to } = pair().at(step);
        for (let before = 0; before < step; before++) {
          const [payload, earlier] = vector.handshake[before] ?? ['', ''];
          const writer = before % 2 === step % 2 ? from : to;
          writer.write(hexToBytes(payload));
          (writer === from ? to : from).read(hexToBytes(earlier));
        }
        const altered = message.slice();
        altered[at] = (altered[at] as number) ^ 1;
        expect(() => to.read(altered)).toThrow(/altered|not usable/);
      }
    }
  });

  test('does not take a message that is too short, or a key that makes every secret the same', () => {
    for (let length = 0; length < 32; length++)
      expect(() => side(false).read(new Uint8Array(length))).toThrow(/too short/);
    const dialing = side(true);
    dialing.write(noBytes);
    for (const length of [0, 31, 79, 95]) {
      const other = side(true);
      other.write(noBytes);
      const message = hexToBytes(vector.handshake[1][1]).subarray(0, length);
      expect(() => other.read(message)).toThrow(/too short|altered/);
    }
    expect(() => dialing.read(new Uint8Array(96))).toThrow(/not usable/);
    const listening = side(false);
    listening.read(new Uint8Array(32));
    expect(() => listening.write(noBytes)).toThrow(/not usable/);
  });

  test('is written and read in turns', () => {
    expect(() => side(true).read(new Uint8Array(96))).toThrow(/not the turn/);
    expect(() => side(false).write(noBytes)).toThrow(/not the turn/);
    const dialing = side(true);
    dialing.write(noBytes);
    expect(() => dialing.write(noBytes)).toThrow(/not the turn/);
  });

  test('differs when the prologue does', () => {
    const far = createNoiseXx({
      isDialer: false,
      staticKeys: exchangeKeys(hexToBytes(vector.listening.static)),
      ephemeralKeys: exchangeKeys(hexToBytes(vector.listening.ephemeral)),
      prologue: concatBytes(hexToBytes(vector.prologue), Uint8Array.of(0)),
    });
    const near = side(true);
    far.read(near.write(noBytes));
    expect(() => near.read(far.write(noBytes))).toThrow(/altered/);
  });
});
