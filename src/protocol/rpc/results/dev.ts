import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { hashResult, hexResult } from './schemas.ts';

const blockResult = () => z.object({ hash: hashResult(), number: z.int() });
const snapshotResult = () =>
  z.object({
    name: z.string(),
    hash: hashResult(),
    number: z.int(),
    finalizedNumber: z.int(),
    takenMs: z.number(),
  });
const namedChanges = () => ({
  old: z.record(z.string(), z.unknown()),
  new: z.record(z.string(), z.unknown()),
});
const changesResult = () => z.object(namedChanges());
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
        ...namedChanges(),
        hooks: z.optional(z.object({ initialization: changesResult(), finalization: changesResult() })),
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
  dev_exportFork: { schema: hexResult(), example: '0x7461626e6f646520666f726b20320a' },
  dev_fork: {
    schema: z.object({ base: blockResult(), writes: z.int() }),
    example: { base: { hash: someHash, number: 25_000_000 }, writes: 2 },
  },
  dev_network: {
    schema: z.object({
      joined: z.boolean(),
      peerId: z.string(),
      addresses: z.array(z.string()),
      peers: z.array(
        z.object({
          peerId: z.string(),
          roles: z.string(),
          bestHash: hashResult(),
          bestNumber: z.int(),
          reputation: z.int(),
        }),
      ),
      unreachable: z.record(z.string(), z.string()),
    }),
    example: {
      joined: false,
      peerId: '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN',
      addresses: [],
      peers: [],
      unreachable: {},
    },
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
