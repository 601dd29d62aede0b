import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { hexResult } from './schemas.ts';

export const paymentResults = {
  payment_queryInfo: {
    schema: z.union([
      z.bigint(),
      z.object({
        weight: z.object({
          ref_time: z.union([z.int(), z.bigint()]),
          proof_size: z.union([z.int(), z.bigint()]),
        }),
        class: z.enum(['normal', 'operational', 'mandatory']),
        partialFee: z.string(),
      }),
    ]),
    example: 125000147n,
  },
  payment_queryFeeDetails: {
    schema: z.object({
      inclusionFee: z.nullable(
        z.object({ baseFee: z.string(), lenFee: z.string(), adjustedWeightFee: z.string() }),
      ),
    }),
    example: { inclusionFee: null },
  },
} satisfies MethodResults;

export const rpcResults = {
  rpc_methods: { schema: z.object({ methods: z.array(z.string()) }), example: { methods: ['rpc_methods'] } },
  'rpc.discover': {
    schema: z.looseObject({ openrpc: z.string(), methods: z.array(z.looseObject({ name: z.string() })) }),
    example: { openrpc: '1.3.2', methods: [{ name: 'rpc_methods' }] },
  },
} satisfies MethodResults;

export const systemResults = {
  system_name: { schema: z.string(), example: 'Tabnode' },
  system_version: { schema: z.string(), example: '0.1.0' },
  system_chain: { schema: z.string(), example: 'Development' },
  system_chainType: {
    schema: z.union([z.string(), z.object({ Custom: z.string() })]),
    example: 'Development',
  },
  system_properties: { schema: z.record(z.string(), z.unknown()), example: { ss58Format: 42 } },
  system_health: {
    schema: z.object({ peers: z.int(), isSyncing: z.boolean(), shouldHavePeers: z.boolean() }),
    example: { peers: 0, isSyncing: false, shouldHavePeers: false },
  },
  system_peers: {
    schema: z.array(
      z.object({ peerId: z.string(), roles: z.string(), bestHash: z.string(), bestNumber: z.int() }),
    ),
    example: [],
  },
  system_nodeRoles: { schema: z.array(z.enum(['Full', 'Authority'])), example: ['Authority'] },
  system_syncState: {
    schema: z.object({ startingBlock: z.int(), currentBlock: z.int(), highestBlock: z.int() }),
    example: { startingBlock: 0, currentBlock: 1, highestBlock: 1 },
  },
  system_dryRun: { schema: hexResult(), example: '0x0000' },
  system_addLogFilter: { schema: z.null(), example: null },
  system_resetLogFilter: { schema: z.null(), example: null },
  system_accountNextIndex: { schema: z.union([z.int(), z.bigint()]), example: 0 },
} satisfies MethodResults;
