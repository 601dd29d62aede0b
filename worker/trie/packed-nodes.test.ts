import { blake2b } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPackedNodes } from './packed-nodes.ts';

const blake2b256 = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });
const nodeOf = (index: number, length: number): Uint8Array => {
  const bytes = new Uint8Array(length).fill(index);
  new DataView(bytes.buffer).setUint32(0, index);
  return bytes;
};
const ignore = (): void => undefined;

describe('packed nodes', () => {
  it('return what was put under a hash or nothing, and views stay as they were', () => {
    const lengths = fc.constantFrom(4, 60, 1000, 30_000, 70_000);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(40), lengths), { minLength: 1, maxLength: 120 }), (asked) => {
        const packed = createPackedNodes(600_000, ignore);
        const views: [Uint8Array, Uint8Array][] = [];
        for (const [index, length] of asked) {
          const node = nodeOf(index, length);
          const hash = blake2b256(node);
          expect(packed.put(hash, node)).toEqual(node);
          const found = packed.get(hash);
          if (length > 65_536) expect(found).toBeNull();
          else expect(found).toEqual(node);
          if (found !== null) views.push([found, node]);
        }
        for (const [view, node] of views) {
          expect(view).toEqual(node);
          expect([null, ...[node]]).toContainEqual(packed.get(blake2b256(node)));
        }
      }),
      { numRuns: 100 },
    );
  });

  it('take 64 bytes more than the encodings', () => {
    const packed = createPackedNodes(32 * 1024 * 1024, ignore);
    let encodings = 0;
    for (let index = 0; index < 200_000; index++) {
      const node = nodeOf(index, 80 + (index % 40));
      // As evenly spread as a hash.
      const hash = new Uint8Array(32);
      new DataView(hash.buffer).setUint32(0, Math.imul(index, 0x9e3779b1));
      packed.put(hash, node);
      encodings += node.length;
    }
    expect((packed.bytes() - encodings) / 200_000).toBeLessThan(64);
  });

  it('keep a part of what a scan larger than the limit reads, and their limit', () => {
    const nodes = Array.from({ length: 20_000 }, (_, index) => nodeOf(index, 100));
    const hashes = nodes.map(blake2b256);
    let most = 0;
    const packed = createPackedNodes(1_500_000, (bytes) => {
      most = bytes;
    });
    const scan = (): number => {
      let hits = 0;
      for (const [index, hash] of hashes.entries()) {
        if (packed.get(hash) !== null) hits++;
        else packed.put(hash, nodes[index] as Uint8Array);
      }
      return hits;
    };
    expect(scan()).toBe(0);
    for (let round = 0; round < 20; round++) expect(scan()).toBeGreaterThan(2500);
    expect(most).toBe(packed.bytes());
    expect(most).toBeLessThan(1_600_000);
  });
});
