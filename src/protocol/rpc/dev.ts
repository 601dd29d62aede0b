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

/**
 * Methods for the operator of a development node only; with the names of chopsticks where it has the same
 * method.
 */
/** The ready transactions that a block left in the pool, and why. */
const leftResult = () =>
  z.array(z.object({ hash: hashResult(), reason: z.enum(['full', 'future', 'dependent', 'closed']) }));

export const dev = {
  dev_setSealMode: call({
    doc: 'Switches when blocks are sealed: manual, instant, interval or slots.',
    params: { mode: sealMode() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { mode: { kind: 'interval', ms: 2000 } }, result: null },
  }),
  dev_setFinality: call({
    doc: 'Switches how blocks of this node become final: `delayed` (1.5 s after clients heard of them, or as `{ kind, ms }` or `{ kind, blocks }` says), `instant` (with their import) or `manual` (by a call only). Blocks of others never do by themselves.',
    params: { mode: finalityMode() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { mode: { kind: 'delayed', ms: 1500 } }, result: null },
  }),
  dev_newBlock: call({
    doc: 'Seals `count` blocks, or up to number `to`, on `parent` or the best block; `transactions` go into the first instead of those of the pool; returns the last hash, as chopsticks does. With `report: true` it returns `{hash, left}`: what the last block left in the pool, as `dev_seal` does; without it a line of the log says so (`dev_subscribeLogs`).',
    params: { options: optional(newBlock()) },
    result: z.union([hashResult(), z.object({ hash: hashResult(), left: leftResult() })]),
    safety: 'unsafe',
    example: { args: { options: { count: 2 } }, result: someHash },
  }),
  dev_seal: call({
    doc: 'Seals one block on the best one from what the pool has; says how many transactions it took in, and which ready ones it left: `full` no room, `future` another of its account comes first, `dependent` waits for one that was left, `closed` the runtime takes none at present.',
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
    doc: 'Finalizes a block and its ancestors, the best block without one.',
    params: { hash: optional(hash()) },
    result: blockResult(),
    safety: 'unsafe',
    aliases: ['dev_finalize'],
    example: { args: {}, result: { hash: someHash, number: 1 } },
  }),
  dev_setHead: call({
    doc: 'Makes a known block the best one, by hash, number, or a number of blocks to go back (0 or less); finality goes back with it where it must.',
    params: { hash_or_number: headTarget() },
    result: hashResult(),
    safety: 'unsafe',
    example: { args: { hash_or_number: -1 }, result: someHash },
  }),
  dev_setStorage: call({
    doc: 'Changes the state of the best block, or of one without children: by [key, value] pairs of SCALE hex, or as chopsticks by names, {Pallet: {Item: value, Map: [[[key, …], value]], $removePrefix: ["Map"]}}. Values and keys are written as polkadot-js takes them: numbers also as text, accounts as addresses, bytes as hex or text, what is missing as its default; hex in place of a whole value or key is its SCALE encoding, null takes away. From then on no other node follows the chain.',
    params: { values: storageEdits(), hash: optional(hash()) },
    result: hashResult(),
    safety: 'unsafe',
    example: {
      args: { values: { System: { Account: [[[bob], { providers: 1, data: { free: '1000000000000' } }]] } } },
      result: someHash,
    },
  }),
  dev_dryRun: call({
    doc: 'Applies an extrinsic, or a call in the name of any account ({extrinsic: hex or {call, address}, at, raw}), in a block of its own on the best block or `at`, and drops the block. Answers the outcome and the main state before and after, by names; with `raw` the changes alone, as [key, value] pairs.',
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
    doc: 'Moves chain time forward: the next block is not before this date or these milliseconds since 1970; answers the milliseconds. To go back, `dev_setHead` to an earlier block.',
    params: { date: moment() },
    result: z.number(),
    safety: 'unsafe',
    example: { args: { date: '2030-01-01T00:00:00Z' }, result: 1_893_456_000_000 },
  }),
  dev_fund: call({
    doc: 'Gives an account this free balance: by a signed sudo extrinsic in a block of its own where the keystore holds the sudo key, else as `dev_setStorage` does.',
    params: { account: text('account'), amount: amount() },
    result: z.object({ hash: hashResult(), by: z.enum(['sudo', 'storage']) }),
    safety: 'unsafe',
    example: { args: { account: bob, amount: '1000000000000' }, result: { hash: someHash, by: 'sudo' } },
  }),
  dev_impersonate: call({
    doc: 'Lets transactions of an account carry the signature 0xdeadbeef followed by 0xcd to the end, or ends that. While it does, no other node follows the chain.',
    params: { account: text('account'), enabled: optional(boolean()) },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { account: bob }, result: null },
  }),
  dev_snapshot: call({
    doc: 'Keeps head, pool, clock and offchain storage under a name; one of the same name is replaced.',
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
    doc: 'Goes back to a snapshot: what happened since is gone from chain and pool.',
    params: { name: snapshotName() },
    result: snapshotResult(),
    safety: 'unsafe',
    example: { args: { name: 'funded' }, result: funded },
  }),
  dev_deleteSnapshot: call({
    doc: 'Forgets a snapshot; false when there is none.',
    params: { name: snapshotName() },
    result: z.boolean(),
    safety: 'unsafe',
    example: { args: { name: 'funded' }, result: true },
  }),
  dev_pool: call({
    doc: 'The pool as it stands: ready transactions in pool order, those that wait for a tag, and banned hashes with the milliseconds since 1970 at which each ban ends.',
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
    doc: 'Goes back to the genesis block with an empty pool and an unmoved clock; snapshots stay.',
    params: {},
    result: blockResult(),
    safety: 'unsafe',
    example: { args: {}, result: { hash: someHash, number: 0 } },
  }),
  dev_exportChain: call({
    doc: 'Writes blocks of the best chain: `json` as lines (the chain and its snapshots, then results of chain_getBlock), `binary` as hex of what the SDK exports. Longer than an answer may be (-32008): ask for a range.',
    params: { format: optional(chainFormat()), from: optional(u32()), to: optional(u32()) },
    result: z.string(),
    safety: 'unsafe',
    example: { args: { format: 'binary' }, result: '0x0000000000000000' },
  }),
  dev_importChain: call({
    doc: 'Imports what `dev_exportChain` wrote, with all checks; blocks that are known are passed over.',
    params: { data: text() },
    result: z.object({ blocks: z.int(), snapshots: z.int(), hash: hashResult(), number: z.int() }),
    safety: 'unsafe',
    example: {
      args: { data: '0x0000000000000000' },
      result: { blocks: 0, snapshots: 0, hash: someHash, number: 0 },
    },
  }),
};
