import { describe, expect, it } from 'vitest';
import { textToBytes } from '../bytes/bytes.ts';
import { checksum } from './checksum.ts';

describe('checksum', () => {
  // Published values of XXH32 with seed 0.
  it.each([
    ['', 0x02cc5d05],
    ['a', 0x550d7456],
    ['abc', 0x32d153ff],
    ['Nobody inspects the spammish repetition', 0xe2293b2f],
  ])('of "%s" equals XXH32', (text, sum) => {
    expect(checksum(textToBytes(text), 0)).toBe(sum);
  });

  it('differs for every flipped bit and for another seed, at every length', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, (_, at) => at * 7);
      const sums = new Set([checksum(bytes, 1), checksum(bytes, 2)]);
      for (let bit = 0; bit < length * 8; bit++) {
        bytes[bit >>> 3] = (bytes[bit >>> 3] as number) ^ (1 << (bit & 7));
        sums.add(checksum(bytes, 1));
        bytes[bit >>> 3] = (bytes[bit >>> 3] as number) ^ (1 << (bit & 7));
      }
      expect(sums.size).toBe(length * 8 + 2);
    }
  });
});
