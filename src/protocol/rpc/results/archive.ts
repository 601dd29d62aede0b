import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { hashResult, hexResult } from './schemas.ts';

const someHash = `0x${'91'.repeat(32)}`;
const event = () => z.looseObject({ event: z.string() });

export const archiveResults = {
  archive_v1_body: { schema: z.nullable(z.array(hexResult())), example: ['0x280402000b'] },
  archive_v1_call: {
    schema: z.nullable(
      z.union([
        z.object({ success: z.literal(true), value: hexResult() }),
        z.object({ success: z.literal(false), error: z.string() }),
      ]),
    ),
    example: { success: true, value: '0x1c' },
  },
  archive_v1_finalizedHeight: { schema: z.int(), example: 0 },
  archive_v1_genesisHash: { schema: hashResult(), example: someHash },
  archive_v1_hashByHeight: { schema: z.array(hashResult()), example: [someHash] },
  archive_v1_header: { schema: z.nullable(hexResult()), example: '0x00' },
  archive_v1_storage: { schema: event() },
  archive_v1_storageDiff: { schema: event() },
} satisfies MethodResults;
