/**
 * How many pages a polkadot-sdk node of 2609 adds to the memory that the module starts with, for values of
 * `:heappages`. Null: no call of this kind can run. Offchain calls have 2,048 in each row.
 * `test/native/native-heap.test.ts` compares each row with a native node.
 */
export type HeapVector = {
  readonly name: string;
  readonly value: string | null;
  readonly author: number | null;
  readonly import: number | null;
};

/** Pages of the module with `buildFillRuntime`, of which the largest memory (65,536 pages) leaves the rest. */
const min = 23;

export const offchainHeap = 2048;
export const heapVectors: readonly HeapVector[] = [
  { name: 'absent', value: null, author: 2048, import: 4096 },
  { name: '64', value: '0x4000000000000000', author: 64, import: 128 },
  { name: '3000', value: '0xb80b000000000000', author: 3000, import: 6000 },
  { name: '64, but seven bytes', value: '0x40000000000000', author: 2048, import: 4096 },
  { name: '64, with a byte after it', value: '0x4000000000000000ff', author: 64, import: 128 },
  { name: '2^32 + 64', value: '0x4000000001000000', author: 64, import: 128 },
  { name: '40000', value: '0x409c000000000000', author: 40_000, import: null },
  { name: 'all of 4 GiB', value: '0xe9ff000000000000', author: 65_536 - min, import: null },
  { name: 'one page more', value: '0xeaff000000000000', author: null, import: null },
  { name: '70000', value: '0x7011010000000000', author: null, import: null },
  { name: '2^32 - 1', value: '0xffffffff00000000', author: null, import: null },
];
