import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { hashResult, headerResult, signedBlockResult } from './schemas.ts';

export const chainResults = {
  chain_getHeader: { schema: z.nullable(headerResult()), example: null },
  chain_getBlock: { schema: z.nullable(signedBlockResult()), example: null },
  chain_getBlockHash: {
    schema: z.union([z.nullable(hashResult()), z.array(z.nullable(hashResult()))]),
    example: [null, null],
  },
  chain_getFinalizedHead: { schema: hashResult(), example: `0x${'91'.repeat(32)}` },
  chain_subscribeAllHeads: { schema: headerResult() },
  chain_subscribeNewHeads: { schema: headerResult() },
  chain_subscribeFinalizedHeads: { schema: headerResult() },
} satisfies MethodResults;

export const chainSpecResults = {
  chainSpec_v1_chainName: { schema: z.string(), example: 'Development' },
  chainSpec_v1_genesisHash: { schema: hashResult(), example: `0x${'91'.repeat(32)}` },
  chainSpec_v1_properties: { schema: z.unknown(), example: { ss58Format: 42 } },
} satisfies MethodResults;

export const blockStatsResults = {
  dev_getBlockStats: {
    schema: z.nullable(
      z.object({
        witnessLen: z.int(),
        witnessCompactLen: z.int(),
        blockLen: z.int(),
        numExtrinsics: z.int(),
      }),
    ),
    example: { witnessLen: 3444, witnessCompactLen: 2221, blockLen: 748, numExtrinsics: 4 },
  },
} satisfies MethodResults;
