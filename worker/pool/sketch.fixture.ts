import * as fc from 'fast-check';
import type { ExtrinsicHash } from '../codec/identity.ts';
import type { PoolTransaction } from './transaction.ts';

/** A fake transaction. Its `id` identifies it and determines its order. */
export type Sketch = {
  readonly priority?: number;
  readonly requires?: readonly string[];
  readonly provides?: readonly string[];
  readonly validTill?: number;
  readonly size?: number;
};

export const sketchToTransaction = (id: number, sketch: Sketch): PoolTransaction => ({
  hash: `0x${id.toString(16).padStart(64, '0')}` as string as ExtrinsicHash,
  extrinsic: new Uint8Array(sketch.size ?? 10),
  source: 2,
  priority: BigInt(sketch.priority ?? 1),
  requires: [...new Set(sketch.requires ?? [])],
  provides: [...new Set(sketch.provides ?? [])],
  validTill: BigInt(sketch.validTill ?? 1000),
  propagate: true,
  insertionId: id,
});

const tags = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
/** Few distinct tags and priorities, so that conflicts, chains and cycles are common. */
export const someTags = (minLength: number, maxLength: number): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.constantFrom(...tags), { minLength, maxLength });

export const someSketch: fc.Arbitrary<Sketch> = fc.record({
  priority: fc.nat({ max: 6 }),
  requires: someTags(0, 2),
  provides: someTags(1, 2),
  validTill: fc.integer({ min: 1, max: 5 }),
  size: fc.integer({ min: 1, max: 9 }),
});
