import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { extrinsicStatusResult, hashResult, hexResult } from './schemas.ts';

const alice = `0x${'d4'.repeat(32)}`;
const event = () => z.looseObject({ event: z.string() });

export const authorResults = {
  author_submitExtrinsic: { schema: hashResult(), example: `0x${'91'.repeat(32)}` },
  author_pendingExtrinsics: { schema: z.array(hexResult()), example: [] },
  author_removeExtrinsic: { schema: z.array(hexResult()), example: [] },
  author_submitAndWatchExtrinsic: { schema: extrinsicStatusResult() },
} satisfies MethodResults;

export const keysResults = {
  author_insertKey: { schema: z.null(), example: null },
  author_rotateKeys: { schema: hexResult(), example: alice },
  author_rotateKeysWithOwner: {
    schema: z.object({ keys: hexResult(), proof: z.nullable(hexResult()) }),
    example: { keys: alice, proof: null },
  },
  author_hasKey: { schema: z.boolean(), example: true },
  author_hasSessionKeys: { schema: z.boolean(), example: true },
} satisfies MethodResults;

export const transactionResults = {
  transaction_v1_broadcast: { schema: z.nullable(z.string()), example: 'k3J9sQ0ZpLm2VbX1' },
  transaction_v1_stop: { schema: z.null(), example: null },
  transactionWatch_v1_submitAndWatch: { schema: event() },
} satisfies MethodResults;
