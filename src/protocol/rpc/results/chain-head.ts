import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { hexResult } from './schemas.ts';

const started = () =>
  z.union([
    z.object({ result: z.literal('started'), operationId: z.string(), discardedItems: z.optional(z.int()) }),
    z.object({ result: z.literal('limitReached') }),
  ]);
const limitReached = { result: 'limitReached' };

export const chainHeadResults = {
  chainHead_v1_follow: { schema: z.looseObject({ event: z.string() }) },
  chainHead_v1_body: { schema: started(), example: limitReached },
  chainHead_v1_call: { schema: started(), example: limitReached },
  chainHead_v1_storage: { schema: started(), example: limitReached },
  chainHead_v1_header: { schema: z.nullable(hexResult()), example: null },
  chainHead_v1_unpin: { schema: z.null(), example: null },
  chainHead_v1_continue: { schema: z.null(), example: null },
  chainHead_v1_stopOperation: { schema: z.null(), example: null },
} satisfies MethodResults;
