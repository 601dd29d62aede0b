import * as z from 'zod/mini';
import { call } from './define.ts';
import { hash } from './params.ts';

/** What a block costs to prove. */
export const blockStats = {
  dev_getBlockStats: call({
    doc: 'Re-executes a block; returns its size and the size of the proof of all its reads. Null for an unknown block.',
    params: { block_hash: hash() },
    result: z.nullable(
      z.object({
        witnessLen: z.int(),
        witnessCompactLen: z.int(),
        blockLen: z.int(),
        numExtrinsics: z.int(),
      }),
    ),
    safety: 'unsafe',
    example: {
      args: { block_hash: `0x${'91'.repeat(32)}` },
      result: { witnessLen: 3444, witnessCompactLen: 2221, blockLen: 748, numExtrinsics: 4 },
    },
  }),
};
