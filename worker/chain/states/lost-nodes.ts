import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import type { BatchBuilder, Database } from '../../db/database.ts';
import { sequenceKey, sequenceOfKey } from './journals.ts';
import { decodeLost, decodeNodeChanges, encodeLost } from './pruning-records.ts';

/** The nodes added by deleted blocks of abandoned forks, queued until their places are subtracted. */
export type LostNodes = {
  /**
   * Adds the removal of these blocks' nodes to the transaction that deletes the blocks. Call the returned
   * function after the write.
   */
  stage(batch: BatchBuilder, hashes: readonly BlockHash[]): Promise<() => void>;
  /** The last queue entry to settle with the journal of this sequence; 0 for none. */
  lastWithin(sequence: number): number;
  /** The entries up to a running number. */
  load(
    last: number,
  ): Promise<{ readonly keys: readonly Uint8Array[]; readonly added: readonly Uint8Array[] }>;
  /** Marks the entries up to a running number as settled. */
  dropThrough(last: number): void;
};

export const openLostNodes = async (db: Database): Promise<LostNodes> => {
  const row: { readonly id: number; readonly sequence: number }[] = [];
  for (const [key, value] of await db.range('lostNodes', {}))
    row.push({ id: sequenceOfKey(key), sequence: decodeLost(value).sequence });
  let next = (row.at(-1)?.id ?? 0) + 1;
  return {
    stage: async (batch, hashes) => {
      const keys = hashes.map(blockHashToBytes);
      const found = await db.getMany('nodeChanges', keys);
      const lost: typeof row = [];
      for (const [at, bytes] of found.entries()) {
        if (bytes === null) continue;
        const changes = decodeNodeChanges(bytes);
        const id = next + lost.length;
        lost.push({ id, sequence: changes.sequence });
        batch.deletes.push(['nodeChanges', keys[at] as Uint8Array]);
        batch.puts.push(['lostNodes', sequenceKey(id), encodeLost(changes)]);
      }
      return () => {
        next += lost.length;
        row.push(...lost);
      };
    },
    lastWithin: (sequence) => {
      const end = row.findIndex((lost) => lost.sequence > sequence);
      return (end === -1 ? row.at(-1) : row[end - 1])?.id ?? 0;
    },
    load: async (last) => {
      const found = last === 0 ? [] : await db.range('lostNodes', { to: sequenceKey(last + 1) });
      return {
        keys: found.map(([key]) => key),
        added: found.flatMap(([, value]) => decodeLost(value).added),
      };
    },
    dropThrough: (last) => {
      while ((row[0]?.id ?? last + 1) <= last) row.shift();
    },
  };
};
