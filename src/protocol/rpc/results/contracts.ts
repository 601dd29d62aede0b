import * as z from 'zod/mini';
import type { MethodResults, Schema } from '../define.ts';
import { hashResult, hexResult } from './schemas.ts';

const whole = () => z.union([z.int(), z.bigint()]);
const weight = () => z.object({ ref_time: whole(), proof_size: whole() });
const dispatchError = () => z.union([z.string(), z.record(z.string(), z.unknown())]);
const okOrError = <T extends Schema>(ok: T) =>
  z.union([z.object({ Ok: ok }), z.object({ Err: dispatchError() })]);
const returned = () => z.object({ flags: z.int(), data: hexResult() });
/** What a call or constructor consumed, and how it ended. */
const execution = <T extends Schema>(ok: T) =>
  z.object({
    gasConsumed: weight(),
    gasRequired: weight(),
    storageDeposit: z.union([z.object({ refund: whole() }), z.object({ charge: whole() })]),
    debugMessage: z.string(),
    result: okOrError(ok),
  });
const refused = {
  gasConsumed: { ref_time: 0, proof_size: 0 },
  gasRequired: { ref_time: 0, proof_size: 0 },
  storageDeposit: { charge: 0 },
  debugMessage: '',
  result: { Err: { Module: { index: 8, error: [6, 0, 0, 0] } } },
};

export const contractsResults = {
  contracts_call: { schema: execution(returned()), example: refused },
  contracts_getStorage: { schema: z.nullable(hexResult()), example: '0x00' },
  contracts_instantiate: {
    schema: execution(z.object({ result: returned(), accountId: z.string() })),
    example: { ...refused, result: { Err: { Module: { index: 8, error: [26, 0, 0, 0] } } } },
  },
  contracts_upload_code: {
    schema: okOrError(z.object({ codeHash: hashResult(), deposit: whole() })),
    example: { Err: { Module: { index: 8, error: [26, 0, 0, 0] } } },
  },
  contracts_rentProjection: { schema: z.null(), example: null },
} satisfies MethodResults;
