import * as z from 'zod/mini';
import { call } from './define.ts';
import { bytes, hash, optional } from './params.ts';

/** Fees. */
export const payment = {
  payment_queryInfo: call({
    doc: 'The inclusion fee of an extrinsic: an exact integer (psp-6), or weight, class and fee (polkadot-sdk).',
    params: { encoded_xt: bytes(), at: optional(hash()) },
    result: z.union([
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
    safety: 'safe',
    example: { args: { encoded_xt: '0x1004010014' }, result: 125000147n },
  }),
  payment_queryFeeDetails: call({
    doc: 'The parts of the inclusion fee of an extrinsic, as hex; null if nothing is paid.',
    params: { encoded_xt: bytes(), at: optional(hash()) },
    result: z.object({
      inclusionFee: z.nullable(
        z.object({ baseFee: z.string(), lenFee: z.string(), adjustedWeightFee: z.string() }),
      ),
    }),
    safety: 'safe',
    example: { args: { encoded_xt: '0x1004010014' }, result: { inclusionFee: null } },
  }),
};
