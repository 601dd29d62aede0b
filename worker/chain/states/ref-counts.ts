import { bytesToKey, keyToBytes } from '../../bytes/bytes.ts';
import type { BatchBuilder, Database } from '../../db/database.ts';
import { decodeCount, encodeCount } from './pruning-records.ts';

/** A node's change: how many places it gains or loses, and its bytes if a journal has them. */
export type RefCountDelta = { refCount: number; readonly bytes: Uint8Array | null };

/** Nodes by key, each with its change. */
export type RefCountDeltas = readonly (readonly [key: string, delta: RefCountDelta])[];

/** How many places nodes have; those with one place have no count. */
export type RefCounts = {
  /** Adds the resulting counts of these nodes to a transaction. A node is deleted with its last place. */
  draft(batch: BatchBuilder, all: RefCountDeltas): Promise<void>;
};

/**
 * Few nodes of most states have several places. Their names are held in memory, so that the usual node costs one
 * look-up when it comes and none when it goes. With more than `mostHeld` of them, each count is looked up.
 */
export const openRefCounts = async (
  db: Pick<Database, 'get' | 'hasMany' | 'range'>,
  mostHeld = 20_000,
): Promise<RefCounts> => {
  const found = await db.range('nodeCounts', { limit: mostHeld + 1 });
  /** Every counted node, and maybe some of a write that failed. */
  let held: Set<string> | null =
    found.length > mostHeld ? null : new Set(found.map(([key]) => bytesToKey(key)));
  const keysOf = (deltas: RefCountDeltas): Uint8Array[] => deltas.map(([key]) => keyToBytes(key));
  const loadCounts = async (deltas: RefCountDeltas): Promise<ReadonlyMap<string, number>> => {
    const candidates = deltas.filter(([key]) => held?.has(key) ?? true);
    const isCounted = await db.hasMany('nodeCounts', keysOf(candidates));
    const counts = new Map<string, number>();
    for (const [at, [key]] of candidates.entries()) {
      const bytes = isCounted[at] === true ? await db.get('nodeCounts', keyToBytes(key)) : null;
      if (bytes === null) held?.delete(key);
      else counts.set(key, decodeCount(bytes));
    }
    return counts;
  };
  const findStored = async (deltas: RefCountDeltas): Promise<ReadonlySet<string>> => {
    const isStored = await db.hasMany('nodes', keysOf(deltas));
    return new Set(deltas.filter((_, at) => isStored[at]).map(([key]) => key));
  };
  const hold = (key: string): void => {
    held?.add(key);
    if (held !== null && held.size > mostHeld) held = null;
  };
  return {
    draft: async (batch, all) => {
      const deltas = all.filter(([, { refCount }]) => refCount !== 0);
      const counts = await loadCounts(deltas);
      // A node that goes may be deleted whether it is stored or not.
      const stored = await findStored(
        deltas.filter(([key, { refCount }]) => refCount > 0 && !counts.has(key)),
      );
      for (const [key, { refCount, bytes }] of deltas) {
        const hash = keyToBytes(key);
        const before = counts.get(key) ?? (refCount < 0 || stored.has(key) ? 1 : 0);
        const after = Math.max(0, before + refCount);
        if (before === 0 && after > 0) batch.puts.push(['nodes', hash, bytes as Uint8Array]);
        if (before > 0 && after === 0) batch.deletes.push(['nodes', hash]);
        if (after > 1) {
          batch.puts.push(['nodeCounts', hash, encodeCount(after)]);
          hold(key);
        } else if (before > 1) batch.deletes.push(['nodeCounts', hash]);
      }
    },
  };
};
