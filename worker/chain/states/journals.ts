import { bytesToKey } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import type { BatchBuilder, Database } from '../../db/database.ts';
import { isPacked, openPacked, type PackedNodes } from '../../trie/node-pack.ts';
import type { NodeBatch } from '../../trie/node-source.ts';

/** The nodes of one block: in a list, or very many of them in one array. */
export type NewNodes = NodeBatch | PackedNodes;

/**
 * The trie nodes of recent blocks: one packed record per block, moved into the node store later, in slices.
 */
export type Journals = {
  get(key: string): Uint8Array | undefined;
  /**
   * Adds a block's new nodes to a batch as one record. Returns the sequence up to which journals hold the
   * block's state.
   */
  stage(nodes: NewNodes, batch: BatchBuilder): number;
  /** Makes staged nodes readable. Call it after the batch has been written. */
  accept(nodes: NewNodes): void;
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

export type JournalNode = readonly [key: string, bytes: Uint8Array];

export type Journal = {
  readonly sequence: number;
  readonly count: number;
  /** The node at an index. */
  node(at: number): JournalNode;
  /** A pack is searched itself; the nodes of all other journals are in one map. */
  readonly pack: PackedNodes | null;
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
export const readJournal = (record: Uint8Array): readonly JournalNode[] => {
  const reader = new Reader(record);
  return reader.vec((item) => [bytesToKey(item.take(32)), item.vecBytes().slice()] as const);
};

/** Records from this size on are not taken apart: those of a large genesis or of blocks with very many changes. */
const packedFrom = 1024 * 1024;

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
  const packs: PackedNodes[] = [];
  /** Number of additional occurrences of each waiting node. */
  const again = new Map<string, number>();
  let size = 0;
  let next = last + 1;
  const keep = (journal: Journal): void => {
    next = journal.sequence + 1;
    waiting.push(journal);
    size += journal.cost;
  };
  const add = (sequence: number, nodes: readonly JournalNode[]): void => {
    let cost = 0;
    for (const [key, bytes] of nodes) {
      if (recent.has(key)) again.set(key, (again.get(key) ?? 0) + 1);
      recent.set(key, bytes);
      cost += costOf(bytes.length);
    }
    keep({ sequence, count: nodes.length, node: (at) => nodes[at] as JournalNode, pack: null, cost });
  };
  const addPack = (sequence: number, pack: PackedNodes): void => {
    const node = (at: number): JournalNode => {
      const [hash, bytes] = pack.at(at);
      return [bytesToKey(hash), bytes];
    };
    packs.push(pack);
    keep({ sequence, count: pack.length, node, pack, cost: pack.record.length + 12 * pack.length });
  };
  const forget = (key: string): void => {
    const more = again.get(key);
    if (more === undefined) recent.delete(key);
    else if (more === 1) again.delete(key);
    else again.set(key, more - 1);
  };
  for (const [key, record] of await db.range('journals', {}))
    if (record.length < packedFrom) add(sequenceOfKey(key), readJournal(record));
    else addPack(sequenceOfKey(key), openPacked(record));
  return {
    get: (key) => {
      const found = recent.get(key);
      if (found !== undefined) return found;
      for (const pack of packs) {
        const packed = pack.find(key);
        if (packed !== undefined) return packed;
      }
      return undefined;
    },
    stage: (nodes, batch) => {
      if (nodes.length === 0) return next - 1;
      const record = isPacked(nodes) ? nodes.record : encodeJournal(nodes);
      batch.puts.push(['journals', sequenceKey(next), record]);
      return next;
    },
    accept: (nodes) => {
      if (isPacked(nodes)) addPack(next, nodes);
      else if (nodes.length > 0)
        add(
          next,
          nodes.map(([hash, bytes]) => [bytesToKey(hash), bytes] as const),
        );
    },
    waiting: () => waiting,
    drop: (count) => {
      for (const { count: nodes, node, pack, cost } of waiting.splice(0, count)) {
        size -= cost;
        if (pack !== null) packs.shift();
        else for (let at = 0; at < nodes; at++) forget(node(at)[0]);
      }
    },
    next: () => next,
    bytes: () => size,
  };
};
