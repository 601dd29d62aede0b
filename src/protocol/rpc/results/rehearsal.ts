import * as z from 'zod/mini';
import { type ErrorCode, errorCodes } from '../../errors.ts';
import { rehearsalSteps, upgradeChecks } from '../../rehearsal.ts';
import type { MethodResults } from '../define.ts';
import { hashResult } from './schemas.ts';

const list = <T extends z.ZodMiniType>(item: T) => z.readonly(z.array(item));
const values = () => z.readonly(z.record(z.string(), z.unknown()));
const measured = () => z.object({ used: z.string(), limit: z.nullable(z.string()), isOver: z.boolean() });
const weight = () => z.nullable(z.object({ refTime: measured(), proofSize: measured() }));
const cost = () => ({
  ms: z.number(),
  keysRead: z.int(),
  proof: z.object({
    nodes: z.int(),
    plain: z.int(),
    compact: z.int(),
    zstd: z.nullable(z.int()),
    limit: z.nullable(z.number()),
    isOver: z.boolean(),
  }),
});

const reportResult = () =>
  z.object({
    kind: z.literal('report'),
    block: z.object({ number: z.int(), hash: z.string() }),
    specName: z.string(),
    specVersion: z.object({ before: z.int(), after: z.int() }),
    checks: z.nullable(
      z.object({
        selected: z.enum(upgradeChecks),
        failure: z.nullable(z.string()),
        weight: weight(),
        ms: z.number(),
        keysRead: z.int(),
        logs: list(z.string()),
      }),
    ),
    migration: z.nullable(
      z.object({
        ...cost(),
        weight: weight(),
        changes: list(
          z.object({
            pallet: z.string(),
            item: z.nullable(z.string()),
            written: z.int(),
            removed: z.int(),
          }),
        ),
        old: values(),
        new: values(),
        omitted: z.int(),
      }),
    ),
    multiBlock: z.nullable(
      z.object({
        pallet: z.string(),
        blocks: z.int(),
        outcome: z.enum(['completed', 'failed', 'unfinished']),
      }),
    ),
    blocks: z.nullable(
      list(
        z.object({
          ...cost(),
          number: z.int(),
          stateRoot: hashResult(),
          isMigrating: z.boolean(),
          weight: weight(),
        }),
      ),
    ),
    problems: list(z.string()),
    notes: list(z.string()),
    requests: z.int(),
    bytes: z.int(),
  });

export const rehearsalResults = {
  dev_subscribeRehearsal: {
    schema: z.union([
      z.object({
        kind: z.literal('progress'),
        step: z.enum(rehearsalSteps),
        block: z.nullable(z.int()),
        keys: z.int(),
        requests: z.int(),
        bytes: z.int(),
      }),
      reportResult(),
      z.object({
        kind: z.literal('failed'),
        code: z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]),
        message: z.string(),
      }),
    ]),
    example: { kind: 'progress', step: 'blocks', block: 4, keys: 1200, requests: 12, bytes: 340_000 },
  },
} satisfies MethodResults;
