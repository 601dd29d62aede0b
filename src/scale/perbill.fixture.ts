import type { LookupEntry } from './types.ts';

/** A part of a billion, as runtimes write percentages. */
export const perbill: LookupEntry = {
  id: 0,
  path: ['sp_arithmetic', 'per_things', 'Perbill'],
  type: 'primitive',
  value: 'u32',
  meaning: 'part',
};
