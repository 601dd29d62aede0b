import { bytesToKey, keyToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { BatchBuilder, Database } from '../db/database.ts';
import type { NodeBatch } from '../trie/node-source.ts';
import { yieldNow } from './pace.ts';

/** The trie nodes of the last blocks: one packed record per block, moved into the node store later and in slices. */
export type Journals = {
  get(key: string): Uint8Array | undefined;
  /** Adds a block's new nodes to a batch as one record. */
  stage(nodes: NodeBatch, batch: BatchBuilder): void;
  /** Makes staged nodes readable; call after the batch was written. Begins to move when much waits. */
  accept(nodes: NodeBatch): void;
  /** Resolves once no more than the limit waits, or moving failed. */
  settle(): Promise<void>;
  /** Moves all of them. Rejects when the database does. */
  flush(): Promise<void>;
  /** What waits takes in memory, by estimate. */
  bytes(): number;
};

type Journal = {
  readonly sequence: number;
  readonly nodes: readonly (readonly [key: string, bytes: Uint8Array])[];
};

/** What a waiting node takes in memory: its bytes, their array, the map entry, its name. */
const costOf = (bytes: Uint8Array): number => bytes.length + 300;
/** One transaction moves nodes of so much, some 200: a few milliseconds in any database. */
const sliceCost = 80 * 1024;

const encodeJournal = (nodes: NodeBatch): Uint8Array => {
  let size = 8;
  for (const [, bytes] of nodes) size += 36 + bytes.length;
  const writer = new Writer(size).compact(nodes.length);
  for (const [hash, bytes] of nodes) writer.raw(hash).vecBytes(bytes);
  return writer.finish();
};

/** The trie nodes of a journal's record, each under its hash. */
export const readJournal = (record: Uint8Array): Journal['nodes'] => {
  const reader = new Reader(record);
  return reader.vec((item) => [bytesToKey(item.take(32)), item.vecBytes().slice()] as const);
};

const sequenceKey = (sequence: number): Uint8Array => {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, BigInt(sequence));
  return key;
};

type Slice = {
  readonly nodes: Journal['nodes'];
  /** The journals that are moved in full with it. */
  readonly whole: readonly Journal[];
  /** How many nodes of the journal after them are moved then. */
  readonly rest: number;
};

/** The oldest nodes, from the `moved`th of the first journal on. */
const nextSlice = (journals: readonly Journal[], moved: number): Slice => {
  const nodes: (readonly [string, Uint8Array])[] = [];
  const whole: Journal[] = [];
  let cost = 0;
  let at = moved;
  for (const journal of journals) {
    for (; at < journal.nodes.length && cost < sliceCost; at++) {
      const node = journal.nodes[at] as Journal['nodes'][number];
      nodes.push(node);
      cost += costOf(node[1]);
    }
    if (at < journal.nodes.length) break;
    whole.push(journal);
    at = 0;
  }
  return { nodes, whole, rest: at };
};

/** Reads what was left. More than `limit` bytes wait only while a block's import is held back for it. */
export const openJournals = async (
  db: Database,
  options: { readonly limit: number; readonly onError: (error: unknown) => void },
): Promise<Journals> => {
  const { limit, onError } = options;
  const waiting: Journal[] = [];
  const recent = new Map<string, Uint8Array>();
  let moved = 0;
  let size = 0;
  let next = 1;
  let moving: Promise<void> | null = null;
  const add = (sequence: number, nodes: Journal['nodes']): void => {
    waiting.push({ sequence, nodes });
    next = sequence + 1;
    for (const [key, bytes] of nodes) {
      recent.set(key, bytes);
      size += costOf(bytes);
    }
  };
  for (const [key, record] of await db.range('journals', {}))
    add(Number(new DataView(key.buffer, key.byteOffset).getBigUint64(0)), readJournal(record));

  const moveSlice = async (): Promise<void> => {
    const { nodes, whole, rest } = nextSlice(waiting, moved);
    // A journal goes with the last of its nodes: a crash before leaves it as it was.
    await db.write({
      puts: nodes.map(([key, bytes]) => ['nodes', keyToBytes(key), bytes] as const),
      deletes: whole.map(({ sequence }) => ['journals', sequenceKey(sequence)] as const),
    });
    waiting.splice(0, whole.length);
    moved = rest;
    for (const [key, bytes] of nodes) {
      recent.delete(key);
      size -= costOf(bytes);
    }
  };
  const moveAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      await moveSlice();
      await yieldNow();
    }
  };
  /** One at a time. */
  const move = (): Promise<void> => {
    moving ??= moveAll().finally(() => {
      moving = null;
    });
    return moving;
  };

  return {
    get: (key) => recent.get(key),
    stage: (nodes, batch) => {
      if (nodes.length > 0) batch.puts.push(['journals', sequenceKey(next), encodeJournal(nodes)]);
    },
    accept: (nodes) => {
      if (nodes.length === 0) return;
      add(
        next,
        nodes.map(([hash, bytes]) => [bytesToKey(hash), bytes] as const),
      );
      if (size > limit / 2 && moving === null) move().catch(onError);
    },
    settle: async () => {
      if (size > limit) await moving?.catch(() => undefined);
    },
    flush: async () => {
      while (waiting.length > 0) await move();
    },
    bytes: () => size,
  };
};
