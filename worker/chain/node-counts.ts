import { keyToBytes } from '../bytes/bytes.ts';
import type { BatchBuilder, Database } from '../db/database.ts';
import { decodeCount, encodeCount } from './pruning-records.ts';

/** A node's change: how many places it gains or loses, and its bytes if a journal has them. */
export type Turn = { places: number; readonly bytes: Uint8Array | null };

/** Nodes by key, each with its change. */
export type Turns = readonly (readonly [key: string, turn: Turn])[];

/** Adds the resulting counts of these nodes to a transaction. A node is deleted with its last place. */
export const draftNodes = async (
  db: Pick<Database, 'get' | 'hasMany'>,
  batch: BatchBuilder,
  all: Turns,
): Promise<void> => {
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
