import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { hashResult, hexResult } from './schemas.ts';

/** Values by pallet, item and key, or by the whole key. */
const storageResult = () => z.record(z.string(), z.unknown());

/** `ReplayReport`. */
const replayResult = () =>
  z.object({
    number: z.int(),
    hash: hashResult(),
    parentHash: hashResult(),
    specName: z.string(),
    specVersion: z.int(),
    extrinsics: z.int(),
    stateRoot: hashResult(),
    computedRoot: z.nullable(hashResult()),
    isSame: z.boolean(),
    difference: z.nullable(
      z.object({
        phase: z.nullable(z.string()),
        why: z.string(),
        here: storageResult(),
        there: storageResult(),
      }),
    ),
    requests: z.int(),
    bytes: z.int(),
    executionMs: z.number(),
    phases: z.nullable(
      z.readonly(
        z.array(
          z.object({
            phase: z.string(),
            ms: z.number(),
            logs: z.readonly(z.array(z.string())),
            dispatchError: z.nullable(z.string()),
            weight: z.nullable(z.object({ refTime: z.string(), proofSize: z.nullable(z.string()) })),
            events: z.nullable(z.readonly(z.array(z.object({ name: z.string(), data: z.unknown() })))),
            old: storageResult(),
            new: storageResult(),
          }),
        ),
      ),
    ),
  });

const blockResult = () => z.object({ hash: hashResult(), number: z.int() });
const snapshotResult = () =>
  z.object({
    name: z.string(),
    hash: hashResult(),
    number: z.int(),
    finalizedNumber: z.int(),
    takenMs: z.number(),
  });
/** 64-bit numbers are decimal text, because they may exceed 2^53. */
const poolTransactionResult = () =>
  z.object({
    hash: hashResult(),
    extrinsic: hexResult(),
    priority: z.string(),
    validTill: z.string(),
    requires: z.array(hexResult()),
    provides: z.array(hexResult()),
    propagate: z.boolean(),
    validOnLiveChain: z.boolean(),
  });
const someHash = `0x${'91'.repeat(32)}`;
const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const funded = { name: 'funded', hash: someHash, number: 3, finalizedNumber: 3, takenMs: 1_700_000_000_000 };
/** The ready transactions that a block left in the pool, and why. */
const leftResult = () =>
  z.array(
    z.object({
      hash: hashResult(),
      reason: z.enum(['full', 'future', 'stale', 'dependent', 'closed', 'unread']),
    }),
  );

export const devResults = {
  dev_setSealMode: { schema: z.null(), example: null },
  dev_setFinality: { schema: z.null(), example: null },
  dev_newBlock: {
    schema: z.union([hashResult(), z.object({ hash: hashResult(), left: leftResult() })]),
    example: someHash,
  },
  dev_seal: {
    schema: z.object({
      hash: hashResult(),
      number: z.int(),
      included: z.int(),
      sizeBytes: z.int(),
      left: leftResult(),
    }),
    example: { hash: someHash, number: 1, included: 0, sizeBytes: 250, left: [] },
  },
  dev_finalise: { schema: blockResult(), example: { hash: someHash, number: 1 } },
  dev_setHead: { schema: hashResult(), example: someHash },
  dev_setStorage: { schema: hashResult(), example: someHash },
  dev_dryRun: {
    schema: z.union([
      z.array(z.tuple([hexResult(), z.nullable(hexResult())])),
      z.object({
        outcome: z.union([z.literal('Ok'), z.object({ Err: z.unknown() })]),
        old: z.record(z.string(), z.unknown()),
        new: z.record(z.string(), z.unknown()),
      }),
    ]),
    example: {
      outcome: 'Ok',
      old: { system: { account: { [bob]: { nonce: 0 } } } },
      new: { system: { account: { [bob]: { nonce: 1 } } } },
    },
  },
  dev_timeTravel: { schema: z.number(), example: 1_893_456_000_000 },
  dev_fund: {
    schema: z.object({ hash: hashResult(), by: z.enum(['sudo', 'storage']) }),
    example: { hash: someHash, by: 'sudo' },
  },
  dev_impersonate: { schema: z.null(), example: null },
  dev_snapshot: { schema: snapshotResult(), example: funded },
  dev_listSnapshots: { schema: z.array(snapshotResult()), example: [funded] },
  dev_restore: { schema: snapshotResult(), example: funded },
  dev_deleteSnapshot: { schema: z.boolean(), example: true },
  dev_pool: {
    schema: z.object({
      ready: z.array(poolTransactionResult()),
      future: z.array(poolTransactionResult()),
      banned: z.array(z.object({ hash: hashResult(), untilMs: z.number() })),
    }),
    example: { ready: [], future: [], banned: [] },
  },
  dev_reset: { schema: blockResult(), example: { hash: someHash, number: 0 } },
  dev_exportChain: { schema: z.string(), example: '0x0000000000000000' },
  dev_runBlock: {
    schema: replayResult(),
    example: {
      number: 5,
      hash: someHash,
      parentHash: someHash,
      specName: 'tabnode',
      specVersion: 101,
      extrinsics: 1,
      stateRoot: someHash,
      computedRoot: someHash,
      isSame: true,
      difference: null,
      requests: 0,
      bytes: 0,
      executionMs: 2.5,
      phases: [
        {
          phase: 'extrinsic 0',
          ms: 0.4,
          logs: [],
          dispatchError: null,
          weight: { refTime: '261973000', proofSize: '1493' },
          events: [{ name: 'System.ExtrinsicSuccess', data: {} }],
          old: { timestamp: { now: '1893456000000' } },
          new: { timestamp: { now: '1893456006000' } },
        },
      ],
    },
  },
  dev_exportFork: { schema: hexResult(), example: '0x7461626e6f646520666f726b20320a' },
  dev_fork: {
    schema: z.object({ base: blockResult(), writes: z.int() }),
    example: { base: { hash: someHash, number: 25_000_000 }, writes: 2 },
  },
  dev_importChain: {
    schema: z.object({
      blocks: z.int(),
      snapshots: z.int(),
      badJustifications: z.optional(z.object({ count: z.int(), first: z.string() })),
      hash: hashResult(),
      number: z.int(),
    }),
    example: { blocks: 0, snapshots: 0, hash: someHash, number: 0 },
  },
} satisfies MethodResults;
