import { bytesToKey, keyToBytes } from '../bytes/bytes.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import { recordDamage } from '../db/damage.ts';
import { type BatchBuilder, createBatch, type Database } from '../db/database.ts';
import { readHashAt } from './best-chain.ts';
import { costOf, type Journal, type Journals, type Mover, sequenceKey, sequenceOfKey, sliceCost } from './journals.ts';
import { joined, type MoverOptions } from './move-journals.ts';
import { yieldNow } from './pace.ts';
import {
  decodeCount,
  decodeLost,
  decodeNodeChanges,
  decodeSettlement,
  encodeCount,
  encodeLost,
  encodeNodeChanges,
  encodePruning,
  encodeSettlement,
  type NodeChanges,
  type PruningRecord,
  pruningKey,
  type Settlement,
  settlementKey,
} from './pruning-records.ts';

/**
 * Moves journals where states are pruned (decision 28). The places of each node are counted over all states that are kept:
 * a journal adds some, a block whose parent's state is discarded takes some away, and so does a deleted block. Many blocks
 * are settled together, so that most nodes, which the next blocks replace, never reach the node store.
 */
export type Settler = Mover & {
  /** Adds to a block's own transaction what pruning will need to know of it. */
  stageBlock(batch: BatchBuilder, hash: BlockHash, changes: NodeChanges): void;
  /** Adds to the transaction that deletes blocks that what they added goes. Call what it returns after the write. */
  stageLost(batch: BatchBuilder, hashes: readonly BlockHash[]): Promise<() => void>;
  /** No state of the best chain below this block is needed any more. */
  discardBelow(floor: number): void;
  /** The block up to which that has been done. */
  base(): number;
};

/** So many blocks are settled at a time, if it can wait. */
const stride = 32;
/** One settlement takes no more journals, records and bytes than these, or a single block. */
const maxBlocks = 64;
const maxJournals = 128;
const maxCost = 1024 * 1024;

type Lost = { readonly id: number; readonly sequence: number };

/** What happens to a node: how many places come or go, and its bytes where a journal has them. */
type Turn = { places: number; readonly bytes: Uint8Array | null };

export const createSettler = async (
  db: Database,
  journals: Journals,
  record: PruningRecord,
  { limit, onError }: MoverOptions,
): Promise<Settler> => {
  let { base } = record;
  let floor = base;
  const lost: Lost[] = [];
  for (const [key, value] of await db.range('lostNodes', {}))
    lost.push({ id: sequenceOfKey(key), sequence: decodeLost(value).sequence });
  let nextLost = (lost.at(-1)?.id ?? 0) + 1;
  const stored = await db.get('meta', settlementKey);
  let unfinished = stored === null ? null : decodeSettlement(stored);

  type BlockChanges = { readonly hash: BlockHash; readonly changes: NodeChanges | null };
  /** Of a block of the best chain; without changes where the record is lost: what it names stays for ever. */
  const loadChanges = async (number: number): Promise<BlockChanges> => {
    const hash = (await readHashAt(db, number)) as BlockHash;
    const bytes = await db.get('nodeChanges', blockHashToBytes(hash));
    return { hash, changes: bytes === null ? null : decodeNodeChanges(bytes) };
  };

  const isPressed = (): boolean => journals.bytes() > limit / 2;

  /** The oldest journals that fit, those of `through` in any case. */
  const reach = (through: number): number => {
    let [cost, count, end] = [0, 0, through];
    for (const journal of journals.waiting()) {
      cost += journal.cost;
      count++;
      if (journal.sequence > through && (cost > maxCost || count > maxJournals)) break;
      end = Math.max(end, journal.sequence);
    }
    return end;
  };

  /** Journals up to what a block stands on, by estimate. */
  const costThrough = (sequence: number): number => {
    let cost = 0;
    for (const journal of journals.waiting()) if (journal.sequence <= sequence) cost += journal.cost;
    return cost;
  };

  const choose = async (): Promise<Settlement | null> => {
    if (unfinished !== null) return unfinished;
    const first = journals.waiting()[0];
    if (floor - base < stride && !(isPressed() && first !== undefined)) return null;
    let through = (first?.sequence ?? journals.next()) - 1;
    let to = base;
    for (const most = Math.min(floor, base + maxBlocks); to < most; to++) {
      const { changes } = await loadChanges(to + 1);
      const next = Math.max(through, changes?.sequence ?? 0);
      if (to > base && costThrough(next) > maxCost) break;
      through = next;
    }
    if (isPressed()) through = reach(Math.max(through, to === base ? (first as Journal).sequence : 0));
    let lostTo = 0;
    for (const { id, sequence } of lost) {
      if (sequence > through) break;
      lostTo = id;
    }
    return { through, base: to, lost: lostTo, done: 0 };
  };

  /** The same after a crash: journals, best chain up to `base` and lost blocks up to `lost` are then as they are now. */
  const collect = async (plan: Settlement) => {
    const turns = new Map<string, Turn>();
    const count = (key: string, places: number, bytes: Uint8Array | null): void => {
      const turn = turns.get(key);
      if (turn === undefined) turns.set(key, { places, bytes });
      else turn.places += places;
    };
    const moved = journals.waiting().filter(({ sequence }) => sequence <= plan.through);
    for (const { nodes } of moved) for (const [key, bytes] of nodes) count(key, 1, bytes);
    const blocks: BlockHash[] = [];
    for (let number = base + 1; number <= plan.base; number++) {
      const { hash, changes } = await loadChanges(number);
      blocks.push(hash);
      if (changes === null) onError(recordDamage('nodeChanges', blockHashToBytes(hash), 'is missing'));
      for (const removed of changes?.removed ?? []) count(bytesToKey(removed), -1, null);
    }
    const range = { to: sequenceKey(plan.lost + 1) };
    const gone = plan.lost === 0 ? [] : await db.range('lostNodes', range);
    for (const [, value] of gone) for (const hash of decodeLost(value).added) count(bytesToKey(hash), -1, null);
    return { turns: [...turns], moved, blocks, gone: gone.map(([key]) => key) };
  };

  /** What is stored of these nodes afterwards. */
  const draftNodes = async (batch: BatchBuilder, all: readonly (readonly [string, Turn])[]): Promise<void> => {
    const turns = all.filter(([, { places }]) => places !== 0);
    const hashes = turns.map(([key]) => keyToBytes(key));
    const isCounted = await db.hasMany('nodeCounts', hashes);
    const isStored = await db.hasMany('nodes', hashes);
    for (const [at, [, { places, bytes }]] of turns.entries()) {
      const hash = hashes[at] as Uint8Array;
      const counted = isCounted[at] === true ? await db.get('nodeCounts', hash) : null;
      const before = counted !== null ? decodeCount(counted) : isStored[at] === true ? 1 : 0;
      const after = Math.max(0, before + places);
      if (before === 0 && after > 0) batch.puts.push(['nodes', hash, bytes as Uint8Array]);
      if (before > 0 && after === 0) batch.deletes.push(['nodes', hash]);
      if (after > 1) batch.puts.push(['nodeCounts', hash, encodeCount(after)]);
      else if (before > 1) batch.deletes.push(['nodeCounts', hash]);
    }
  };

  const run = async (plan: Settlement): Promise<void> => {
    const { turns, moved, blocks, gone } = await collect(plan);
    let done = plan.done;
    for (let isLast = false; !isLast; ) {
      const from = done;
      for (let cost = 0; done < turns.length && cost < sliceCost; done++) {
        const { places, bytes } = (turns[done] as (typeof turns)[number])[1];
        if (places !== 0) cost += costOf(places > 0 && bytes !== null ? bytes : new Uint8Array());
      }
      isLast = done === turns.length;
      const batch = createBatch();
      await draftNodes(batch, turns.slice(from, done));
      if (isLast) {
        for (const { sequence } of moved) batch.deletes.push(['journals', sequenceKey(sequence)]);
        for (const hash of blocks) batch.deletes.push(['nodeChanges', blockHashToBytes(hash)]);
        for (const key of gone) batch.deletes.push(['lostNodes', key]);
        batch.deletes.push(['meta', settlementKey]);
        batch.puts.push(['meta', pruningKey, encodePruning({ ...record, base: plan.base })]);
      } else batch.puts.push(['meta', settlementKey, encodeSettlement({ ...plan, done })]);
      await db.write(batch);
      unfinished = isLast ? null : { ...plan, done };
      if (!isLast) await yieldNow();
    }
    base = plan.base;
    journals.drop(moved.length);
    lost.splice(0, gone.length);
  };

  const settling = joined(async () => {
    for (let plan = await choose(); plan !== null; plan = await choose()) {
      await run(plan);
      await yieldNow();
    }
  });
  const begin = (): void => {
    const isDue = unfinished !== null || floor - base >= stride || isPressed();
    if (isDue && settling.current() === null) settling.start().catch(onError);
  };

  return {
    begin,
    settle: async () => {
      if (journals.bytes() > limit) await settling.current()?.catch(() => undefined);
    },
    // What waits is read again by the next start: it is mostly what need not be stored at all.
    flush: async () => {
      if (unfinished !== null || settling.current() !== null) await settling.start();
    },
    stageBlock: (batch, hash, changes) => {
      batch.puts.push(['nodeChanges', blockHashToBytes(hash), encodeNodeChanges(changes)]);
    },
    stageLost: async (batch, hashes) => {
      const found = await db.getMany('nodeChanges', hashes.map(blockHashToBytes));
      const added: Lost[] = [];
      for (const [at, bytes] of found.entries()) {
        if (bytes === null) continue;
        const changes = decodeNodeChanges(bytes);
        const id = nextLost + added.length;
        added.push({ id, sequence: changes.sequence });
        batch.deletes.push(['nodeChanges', blockHashToBytes(hashes[at] as BlockHash)]);
        batch.puts.push(['lostNodes', sequenceKey(id), encodeLost(changes)]);
      }
      return () => {
        nextLost += added.length;
        lost.push(...added);
      };
    },
    discardBelow: (next) => {
      floor = Math.max(floor, next);
      begin();
    },
    base: () => base,
  };
};
