import { bytesToKey } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import type { BatchBuilder, Database } from '../../db/database.ts';
import type { NodeBatch } from '../../trie/node-source.ts';

/**
 * The trie nodes of recent blocks: one packed record per block, moved into the node store later, in slices.
 */
export type Journals = {
  get(key: string): Uint8Array | undefined;
  /**
   * Adds a block's new nodes to a batch as one record. Returns the sequence up to which journals hold the
   * block's state.
   */
  stage(nodes: NodeBatch, batch: BatchBuilder): number;
  /** Makes staged nodes readable. Call it after the batch has been written. */
  accept(nodes: NodeBatch): void;
  /** Oldest first. */
  waiting(): readonly Journal[];
  /** Drops the oldest journals: their nodes are in the node store or were not needed. */
  drop(count: number): void;
  /** The next sequence number. */
  next(): number;
  /** Estimated memory of the waiting journals. */
  bytes(): number;
};

/** Moves journals into the node store and deletes them, in slices between imports. */
export type Mover = {
  /** Starts moving if enough has accumulated. */
  begin(): void;
  /** Call before adding a journal. Throws the mover's error if nothing can be moved and too much waits. */
  checkRoom(): void;
  /**
   * Call it after adding a journal. Yields to the mover; resolves once at most the limit waits, or moving has
   * failed.
   */
  settle(): Promise<void>;
  /** Finishes any partial move. Rejects if the database does. */
  flush(): Promise<void>;
};

export type Journal = {
  readonly sequence: number;
  readonly nodes: readonly (readonly [key: string, bytes: Uint8Array])[];
  /** Estimated memory. */
  readonly cost: number;
};

/** Memory of one waiting node: its bytes, array, map entry and key. */
export const costOf = (bytes: number): number => bytes + 300;
/** Bytes of nodes moved by one transaction: some 200 nodes, a few milliseconds in any database. */
export const sliceCost = 80 * 1024;

const encodeJournal = (nodes: NodeBatch): Uint8Array => {
  let size = 8;
  for (const [, bytes] of nodes) size += 36 + bytes.length;
  const writer = new Writer(size).compact(nodes.length);
  for (const [hash, bytes] of nodes) writer.raw(hash).vecBytes(bytes);
  return writer.finish();
};

/** The trie nodes of a journal record, by hash. */
export const readJournal = (record: Uint8Array): Journal['nodes'] => {
  const reader = new Reader(record);
  return reader.vec((item) => [bytesToKey(item.take(32)), item.vecBytes().slice()] as const);
};

export const sequenceKey = (sequence: number): Uint8Array => {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, BigInt(sequence));
  return key;
};

export const sequenceOfKey = (key: Uint8Array): number =>
  Number(new DataView(key.buffer, key.byteOffset).getBigUint64(0));

/** Reads the journals left in the database; `last` is a sequence that was used before. */
export const openJournals = async (db: Pick<Database, 'range'>, last = 0): Promise<Journals> => {
  const waiting: Journal[] = [];
  const recent = new Map<string, Uint8Array>();
  /** Number of additional occurrences of each waiting node. */
  const again = new Map<string, number>();
  let size = 0;
  let next = last + 1;
  const add = (sequence: number, nodes: Journal['nodes']): void => {
    let cost = 0;
    next = sequence + 1;
    for (const [key, bytes] of nodes) {
      if (recent.has(key)) again.set(key, (again.get(key) ?? 0) + 1);
      recent.set(key, bytes);
      cost += costOf(bytes.length);
    }
    waiting.push({ sequence, nodes, cost });
    size += cost;
  };
  const forget = (key: string): void => {
    const more = again.get(key);
    if (more === undefined) recent.delete(key);
    else if (more === 1) again.delete(key);
    else again.set(key, more - 1);
  };
  for (const [key, record] of await db.range('journals', {})) add(sequenceOfKey(key), readJournal(record));
  return {
    get: (key) => recent.get(key),
    stage: (nodes, batch) => {
      if (nodes.length === 0) return next - 1;
      batch.puts.push(['journals', sequenceKey(next), encodeJournal(nodes)]);
      return next;
    },
    accept: (nodes) => {
      if (nodes.length > 0)
        add(
          next,
          nodes.map(([hash, bytes]) => [bytesToKey(hash), bytes] as const),
        );
    },
    waiting: () => waiting,
    drop: (count) => {
      for (const { nodes, cost } of waiting.splice(0, count)) {
        size -= cost;
        for (const [key] of nodes) forget(key);
      }
    },
    next: () => next,
    bytes: () => size,
  };
};
