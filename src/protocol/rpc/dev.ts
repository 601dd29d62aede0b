import * as z from 'zod/mini';
import { call } from './define.ts';
import { boolean, hash, optional, sealMode, text, u32 } from './params.ts';
import {
  amount,
  chainFormat,
  dryRunParam,
  finalityMode,
  headTarget,
  moment,
  newBlock,
  snapshotName,
  storageEdits,
} from './params-dev.ts';
import { hashResult, hexResult } from './results.ts';

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
  });

const someHash = `0x${'91'.repeat(32)}`;
const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
const funded = { name: 'funded', hash: someHash, number: 3, finalizedNumber: 3, takenMs: 1_700_000_000_000 };

/** The ready transactions that a block left in the pool, and why. */
const leftResult = () =>
  z.array(
    z.object({ hash: hashResult(), reason: z.enum(['full', 'future', 'stale', 'dependent', 'closed']) }),
  );

/** Methods for the operator of a development node only; named as in chopsticks if it has the same method. */
export const dev = {
  dev_setSealMode: call({
    doc: 'Sets the seal mode: manual, instant, interval or slots.',
    params: { mode: sealMode() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { mode: { kind: 'interval', ms: 2000 } }, result: null },
  }),
  dev_setFinality: call({
    doc: 'Sets how blocks of this node are finalized: `delayed` (1.5 s after clients were notified, or by `{ kind, ms }` or `{ kind, blocks }`), `instant` (on import), `manual` (only on request) or `grandpa` (by the votes of the GRANDPA authorities, of which this node votes for those it has a key of). Only votes finalize imported blocks of other nodes automatically.',
    params: { mode: finalityMode() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { mode: { kind: 'delayed', ms: 1500 } }, result: null },
  }),
  dev_newBlock: call({
    doc: 'Seals `count` blocks, or blocks up to number `to`, on `parent` or the best block. `transactions` replace the pool for the first block. Returns the last hash, like chopsticks. With `report: true` it returns `{hash, left}`, where `left` lists what the last block left in the pool, as in `dev_seal`; otherwise this is logged (`dev_subscribeLogs`).',
    params: { options: optional(newBlock()) },
    result: z.union([hashResult(), z.object({ hash: hashResult(), left: leftResult() })]),
    safety: 'unsafe',
    example: { args: { options: { count: 2 } }, result: someHash },
  }),
  dev_seal: call({
    doc: 'Seals a block with transactions of the pool on top of the best block. Returns how many it includes, and which ready ones it left out, each with a reason: `full` (no room), `future` (an earlier one of its account is missing), `stale` (with `dev_newBlock`: the branch of its parent has one with this nonce), `dependent` (it depends on one that was left out), `closed` (the runtime accepts none now).',
    params: { finalize: optional(boolean()) },
    result: z.object({
      hash: hashResult(),
      number: z.int(),
      included: z.int(),
      sizeBytes: z.int(),
      left: leftResult(),
    }),
    safety: 'unsafe',
    example: { args: {}, result: { hash: someHash, number: 1, included: 0, sizeBytes: 250, left: [] } },
  }),
  dev_finalise: call({
    doc: 'Finalizes a block and its ancestors, by default the best block.',
    params: { hash: optional(hash()) },
    result: blockResult(),
    safety: 'unsafe',
    aliases: ['dev_finalize'],
    example: { args: {}, result: { hash: someHash, number: 1 } },
  }),
  dev_setHead: call({
    doc: 'Makes a known block the best one, by hash, number, or offset from the best block (0 or less). Finality moves back if necessary.',
    params: { hash_or_number: headTarget() },
    result: hashResult(),
    safety: 'unsafe',
    example: { args: { hash_or_number: -1 }, result: someHash },
  }),
  dev_setStorage: call({
    doc: 'Changes the state of the best block, or of one without children: by [key, value] pairs of SCALE hex, or by name as in chopsticks, {Pallet: {Item: value, Map: [[[key, …], value]], $removePrefix: ["Map"]}}. Values and keys have the forms of polkadot-js: numbers also as text, accounts as addresses, bytes as hex or text; missing fields get defaults. Hex in place of a whole value or key is its SCALE encoding and must decode to its last byte; null removes it. A `:code` that is no runtime is refused. Other nodes can no longer follow this chain.',
    params: { values: storageEdits(), hash: optional(hash()) },
    result: hashResult(),
    safety: 'unsafe',
    example: {
      args: { values: { System: { Account: [[[bob], { providers: 1, data: { free: '1000000000000' } }]] } } },
      result: someHash,
    },
  }),
  dev_dryRun: call({
    doc: 'Applies an extrinsic, or a call as any account ({extrinsic: hex or {call, address}, at, raw}), in a separate block on the best block or `at`, and drops the block. Bytes that do not decode are refused with the call and the part that is wrong. Returns the outcome and the main state before and after, by name; with `raw` only the changes, as [key, value] pairs.',
    params: { params: dryRunParam() },
    result: z.union([
      z.array(z.tuple([hexResult(), z.nullable(hexResult())])),
      z.object({
        outcome: z.union([z.literal('Ok'), z.object({ Err: z.unknown() })]),
        old: z.record(z.string(), z.unknown()),
        new: z.record(z.string(), z.unknown()),
      }),
    ]),
    safety: 'unsafe',
    example: {
      args: { params: { extrinsic: { call: '0x00000400', address: bob } } },
      result: {
        outcome: 'Ok',
        old: { system: { account: { [bob]: { nonce: 0 } } } },
        new: { system: { account: { [bob]: { nonce: 1 } } } },
      },
    },
  }),
  dev_timeTravel: call({
    doc: 'Moves chain time forward to a date or to milliseconds since 1970, the earliest time of the next block. Returns the milliseconds. To go back, use `dev_setHead`.',
    params: { date: moment() },
    result: z.number(),
    safety: 'unsafe',
    example: { args: { date: '2030-01-01T00:00:00Z' }, result: 1_893_456_000_000 },
  }),
  dev_fund: call({
    doc: "Sets an account's free balance, with a sudo extrinsic in a new block if the keystore holds the sudo key, otherwise like `dev_setStorage`.",
    params: { account: text('account'), amount: amount() },
    result: z.object({ hash: hashResult(), by: z.enum(['sudo', 'storage']) }),
    safety: 'unsafe',
    example: { args: { account: bob, amount: '1000000000000' }, result: { hash: someHash, by: 'sudo' } },
  }),
  dev_impersonate: call({
    doc: 'Accepts the signature 0xdeadbeef followed by 0xcd bytes for an account, or stops doing so. Other nodes cannot follow a chain that uses it.',
    params: { account: text('account'), enabled: optional(boolean()) },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { account: bob }, result: null },
  }),
  dev_snapshot: call({
    doc: 'Saves head, pool, clock and offchain storage under a name, replacing any snapshot of that name.',
    params: { name: snapshotName() },
    result: snapshotResult(),
    safety: 'unsafe',
    example: { args: { name: 'funded' }, result: funded },
  }),
  dev_listSnapshots: call({
    doc: 'Lists the snapshots.',
    params: {},
    result: z.array(snapshotResult()),
    safety: 'unsafe',
    example: { args: {}, result: [funded] },
  }),
  dev_restore: call({
    doc: 'Restores a snapshot. Later changes to chain and pool are lost.',
    params: { name: snapshotName() },
    result: snapshotResult(),
    safety: 'unsafe',
    example: { args: { name: 'funded' }, result: funded },
  }),
  dev_deleteSnapshot: call({
    doc: 'Deletes a snapshot; false if there is none.',
    params: { name: snapshotName() },
    result: z.boolean(),
    safety: 'unsafe',
    example: { args: { name: 'funded' }, result: true },
  }),
  dev_pool: call({
    doc: 'The current pool: ready transactions in pool order, those waiting for a tag, and banned hashes with the end of each ban in milliseconds since 1970.',
    params: {},
    result: z.object({
      ready: z.array(poolTransactionResult()),
      future: z.array(poolTransactionResult()),
      banned: z.array(z.object({ hash: hashResult(), untilMs: z.number() })),
    }),
    safety: 'unsafe',
    example: { args: {}, result: { ready: [], future: [], banned: [] } },
  }),
  dev_reset: call({
    doc: 'Returns to the genesis block, empties the pool and resets the clock; snapshots stay.',
    params: {},
    result: blockResult(),
    safety: 'unsafe',
    example: { args: {}, result: { hash: someHash, number: 0 } },
  }),
  dev_exportChain: call({
    doc: "Exports blocks of the best chain: `json` as lines (the chain and its snapshots, then results of chain_getBlock), `binary` as hex of the SDK's format. If the result is too long (-32008), export a range.",
    params: { format: optional(chainFormat()), from: optional(u32()), to: optional(u32()) },
    result: z.string(),
    safety: 'unsafe',
    example: { args: { format: 'binary' }, result: '0x0000000000000000' },
  }),
  dev_importChain: call({
    doc: 'Imports the output of `dev_exportChain`, with all checks; known blocks are skipped, and a block with an invalid justification is imported without it. Meanwhile the node seals no block and does not move its head; with `more`, until the next request without it, or 5 seconds after the last.',
    params: { data: text(), more: optional(boolean()) },
    result: z.object({
      blocks: z.int(),
      snapshots: z.int(),
      badJustifications: z.optional(z.object({ count: z.int(), first: z.string() })),
      hash: hashResult(),
      number: z.int(),
    }),
    safety: 'unsafe',
    example: {
      args: { data: '0x0000000000000000' },
      result: { blocks: 0, snapshots: 0, hash: someHash, number: 0 },
    },
  }),
};
