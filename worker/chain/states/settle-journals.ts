import { bytesToKey } from '../../bytes/bytes.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import { recordDamage } from '../../db/damage.ts';
import { type BatchBuilder, createBatch, type Database } from '../../db/database.ts';
import { readHashAt } from '../store.ts';
import { costOf, type Journal, type Journals, type Mover, sequenceKey, sliceCost } from './journals.ts';
import { type LostNodes, openLostNodes } from './lost-nodes.ts';
import { checkRoom, createBackground, keepPace, type MoverOptions } from './move-journals.ts';
import {
  decodeNodeChanges,
  decodePruning,
  decodeSettlement,
  encodeNodeChanges,
  encodePruning,
  encodeSettlement,
  type NodeChanges,
  type PruningRecord,
  pruningKey,
  type Settlement,
  settlementKey,
} from './pruning-records.ts';
import { openRefCounts, type RefCountDelta, type RefCountDeltas, type RefCounts } from './ref-counts.ts';

/**
 * Moves journals when states are pruned (decision 28). The places of each node are counted over all kept
 * states. A journal adds places; a block whose parent's state is discarded removes some, as does a deleted
 * block. Many blocks are settled together, so most nodes, which later blocks replace, never reach the node
 * store.
 */
export type Settler = Mover & {
  /** Adds the data that pruning will need about a block to the block's own transaction. */
  stageBlock(batch: BatchBuilder, hash: BlockHash, changes: NodeChanges): void;
  /**
   * Adds the removal of these blocks' nodes to the transaction that deletes the blocks. Call the returned
   * function after the write.
   */
  stageLost: LostNodes['stage'];
  /** States of the best chain below this block are no longer needed. */
  discardBelow(floor: number): void;
  /** The head was moved back to this block, so other blocks will follow it. */
  moveBack(number: number): void;
  /** The block up to which states have been discarded, or are being discarded. */
  base(): number;
};

/** How many blocks are settled at a time, unless memory requires it sooner. */
const stride = 32;
/** Limits of one settlement in blocks, journals and bytes. A single block may exceed them. */
const maxBlocks = 64;
const maxJournals = 128;
const maxCost = 1024 * 1024;

type Parts = {
  readonly db: Database;
  readonly journals: Journals;
  readonly lost: LostNodes;
  readonly counts: RefCounts;
  readonly options: MoverOptions;
  readonly mode: PruningRecord['mode'];
};

/** Pruning progress. */
type State = {
  /** Nodes removed by the best chain up to this block are deleted. */
  base: number;
  /** Nodes may be deleted up to this block. */
  floor: number;
  /** A partially completed settlement. */
  unfinished: Settlement | null;
  /** The settlement whose write failed. The write may have been stored nevertheless. */
  unsure: Settlement | null;
};

type BlockChanges = { readonly hash: BlockHash; readonly changes: NodeChanges | null };

/**
 * The changes of a block on the best chain. `changes` is null if the record is lost; the nodes it named are
 * then never deleted. Returns null if the best chain no longer reaches that height.
 */
const loadChanges = async (db: Database, number: number): Promise<BlockChanges | null> => {
  const hash = await readHashAt(db, number);
  if (hash === null) return null;
  const bytes = await db.get('nodeChanges', blockHashToBytes(hash));
  return { hash, changes: bytes === null ? null : decodeNodeChanges(bytes) };
};

const isPressed = ({ journals, options }: Parts): boolean => journals.bytes() > options.limit / 2;

const isDue = (parts: Parts, { base, floor, unfinished }: State): boolean =>
  unfinished !== null || floor - base >= stride || isPressed(parts);

/** The oldest journals within the limits, but always those up to `through`. */
const reach = (journals: readonly Journal[], through: number): number => {
  let [cost, count, end] = [0, 0, through];
  for (const journal of journals) {
    cost += journal.cost;
    count++;
    if (journal.sequence > through && (cost > maxCost || count > maxJournals)) break;
    end = Math.max(end, journal.sequence);
  }
  return end;
};

const costThrough = (journals: readonly Journal[], sequence: number): number =>
  journals.reduce((sum, journal) => sum + (journal.sequence <= sequence ? journal.cost : 0), 0);

/** What to settle next. */
const choose = async (parts: Parts, { base, floor }: State): Promise<Settlement> => {
  const { db, journals, lost } = parts;
  const waiting = journals.waiting();
  const [first] = waiting;
  // Limited to the journals that exist now: a settlement resumed after a failure must not take in later ones.
  const last = journals.next() - 1;
  let through = first === undefined ? last : first.sequence - 1;
  let to = base;
  for (const most = Math.min(floor, base + maxBlocks); to < most; to++) {
    const block = await loadChanges(db, to + 1);
    if (block === null) break;
    const next = Math.min(last, Math.max(through, block.changes?.sequence ?? 0));
    if (to > base && costThrough(waiting, next) > maxCost) break;
    through = next;
  }
  if (isPressed(parts) && first !== undefined)
    through = reach(waiting, Math.max(through, to === base ? first.sequence : 0));
  return { through, base: to, lost: lost.lastWithin(through), done: 0 };
};

/**
 * Yields the same result after a crash, because the journals, the best chain up to `base` and the deleted
 * blocks up to `lost` have not changed.
 */
const collect = async ({ db, journals, lost, options, mode }: Parts, base: number, plan: Settlement) => {
  const deltas = new Map<string, RefCountDelta>();
  const count = (key: string, refCount: number, bytes: Uint8Array | null): void => {
    const delta = deltas.get(key);
    if (delta === undefined) deltas.set(key, { refCount, bytes });
    else delta.refCount += refCount;
  };
  const moved = journals.waiting().filter(({ sequence }) => sequence <= plan.through);
  for (const journal of moved)
    for (let at = 0; at < journal.count; at++) {
      const [key, bytes] = journal.node(at);
      count(key, 1, bytes);
    }
  const blocks: BlockHash[] = [];
  for (let number = base + 1; number <= plan.base; number++) {
    const block = await loadChanges(db, number);
    if (block === null) break;
    const { hash, changes } = block;
    blocks.push(hash);
    // After the head was moved back, a block can be finalized again. Its record was deleted the first time.
    if (changes === null && typeof mode === 'number')
      options.onError(recordDamage('nodeChanges', blockHashToBytes(hash), 'is missing'));
    for (const removed of changes?.removed ?? []) count(bytesToKey(removed), -1, null);
  }
  const gone = await lost.load(plan.lost);
  for (const hash of gone.added) count(bytesToKey(hash), -1, null);
  return { deltas: [...deltas], moved, blocks, gone: gone.keys };
};

/** The end of the slice that starts at `from`. */
const endOfSlice = (deltas: RefCountDeltas, from: number): number => {
  let end = from;
  for (let cost = 0; end < deltas.length && cost < sliceCost; end++) {
    const { refCount, bytes } = (deltas[end] as RefCountDeltas[number])[1];
    if (refCount !== 0) cost += costOf(refCount > 0 ? (bytes?.length ?? 0) : 0);
  }
  return end;
};

/** Updates memory after the last write. */
const finish = ({ journals, lost }: Parts, state: State, plan: Settlement): void => {
  state.base = Math.min(plan.base, state.floor);
  const end = journals.waiting().findIndex(({ sequence }) => sequence > plan.through);
  journals.drop(end === -1 ? journals.waiting().length : end);
  lost.dropThrough(plan.lost);
};

const settle = async (
  parts: Parts,
  state: State,
  plan: Settlement,
  pause: () => Promise<void>,
): Promise<void> => {
  const { db, mode, counts } = parts;
  const { deltas, moved, blocks, gone } = await collect(parts, state.base, plan);
  const draftEnd = (batch: BatchBuilder): void => {
    for (const { sequence } of moved) batch.deletes.push(['journals', sequenceKey(sequence)]);
    for (const hash of blocks) batch.deletes.push(['nodeChanges', blockHashToBytes(hash)]);
    for (const key of gone) batch.deletes.push(['lostNodes', key]);
    batch.deletes.push(['meta', settlementKey]);
    batch.puts.push(['meta', pruningKey, encodePruning({ mode, base: plan.base, through: plan.through })]);
  };
  for (let from = plan.done; ; ) {
    const done = endOfSlice(deltas, from);
    const isLast = done === deltas.length;
    const batch = createBatch();
    await counts.draft(batch, deltas.slice(from, done));
    if (isLast) draftEnd(batch);
    else batch.puts.push(['meta', settlementKey, encodeSettlement({ ...plan, done })]);
    await db.write(batch).catch((error: unknown) => {
      state.unsure = plan;
      throw error;
    });
    state.unfinished = isLast ? null : { ...plan, done };
    if (isLast) break;
    from = done;
    await pause();
  }
  finish(parts, state, plan);
};

/** After a failed write, reads back how far the settlement got. */
const findOut = async (parts: Parts, state: State, plan: Settlement): Promise<void> => {
  const stored = await parts.db.get('meta', settlementKey);
  const record = await parts.db.get('meta', pruningKey);
  state.unsure = null;
  state.unfinished = stored === null ? null : decodeSettlement(stored);
  if (stored !== null || record === null) return;
  const { base, through } = decodePruning(record);
  if (base === plan.base && through === plan.through) finish(parts, state, plan);
};

export const createSettler = async (
  db: Database,
  journals: Journals,
  { mode, base }: PruningRecord,
  options: MoverOptions,
): Promise<Settler> => {
  const lost = await openLostNodes(db);
  const stored = await db.get('meta', settlementKey);
  const counts = await openRefCounts(db);
  const parts: Parts = { db, journals, lost, counts, options, mode };
  const unfinished = stored === null ? null : decodeSettlement(stored);
  const floor = Math.max(base, unfinished?.base ?? 0);
  const state: State = { base, floor, unfinished, unsure: null };
  const settling = createBackground(async (pause) => {
    if (state.unsure !== null) await findOut(parts, state, state.unsure);
    while (isDue(parts, state)) {
      await settle(parts, state, state.unfinished ?? (await choose(parts, state)), pause);
      await pause();
    }
  }, options.onError);
  const begin = (): void => {
    if (isDue(parts, state)) settling.begin();
  };
  return {
    begin,
    checkRoom: () => checkRoom(journals, settling, options.limit),
    settle: () => keepPace(journals, settling, options.limit),
    // The remaining journals are read again at the next start. Most of their nodes will never have to be
    // stored.
    flush: async () => {
      if (state.unfinished !== null || state.unsure !== null || settling.isRunning()) await settling.run();
    },
    stageBlock: (batch, hash, changes) => {
      batch.puts.push(['nodeChanges', blockHashToBytes(hash), encodeNodeChanges(changes)]);
    },
    stageLost: lost.stage,
    discardBelow: (next) => {
      state.floor = Math.max(state.floor, next);
      begin();
    },
    moveBack: (number) => {
      state.base = Math.min(state.base, number);
      state.floor = Math.min(state.floor, number);
    },
    base: () => Math.max(state.base, state.unfinished?.base ?? 0),
  };
};
