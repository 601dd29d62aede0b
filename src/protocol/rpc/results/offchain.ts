import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { hexResult } from './schemas.ts';

export const offchainResults = {
  offchain_localStorageSet: { schema: z.null(), example: null },
  offchain_localStorageGet: { schema: z.nullable(hexResult()), example: '0x76616c7565' },
  offchain_localStorageClear: { schema: z.null(), example: null },
} satisfies MethodResults;
