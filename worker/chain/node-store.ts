import { bytesToKey, equalBytes, keyToBytes } from '../bytes/bytes.ts';
import { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { recordDamage } from '../db/damage.ts';
import type { BatchBuilder, Database } from '../db/database.ts';
import { MissingNodes } from '../trie/missing-nodes.ts';
import type { NodeBatch, NodeSource } from '../trie/node-source.ts';

/** Trie nodes by hash: those of unflushed journals, a bounded cache, and the database behind them. */
export type NodeStore = NodeSource & {
  /** Runs a synchronous read again and again, loading what it missed in between, until it has all it needs. */
  run<T>(attempt: () => T): Promise<T>;
  /** Runs a synchronous read once; null when it missed something. */
  tryRun<T>(attempt: () => T): { readonly value: T } | null;
  /** Adds a block's new nodes to a batch as one packed journal record. */
  stage(nodes: NodeBatch, batch: BatchBuilder): void;
  /** Makes staged nodes readable; call after the batch was written. */
  accept(nodes: NodeBatch): void;
  /** Moves journals into the node store, one transaction. */
  flush(): Promise<void>;
  journals(): number;
};

const encodeJournal = (nodes: NodeBatch): Uint8Array => {
  let size = 8;
  for (const [, bytes] of nodes) size += 36 + bytes.length;
  const writer = new Writer(size).compact(nodes.length);
  for (const [hash, bytes] of nodes) writer.raw(hash).vecBytes(bytes);
  return writer.finish();
};

const sequenceKey = (sequence: number): Uint8Array => {
  const key = new Uint8Array(8);
  new DataView(key.buffer).setBigUint64(0, BigInt(sequence));
  return key;
};

/** The oldest entries leave first: a Map keeps insertion order. */
const trim = (cache: Map<string, Uint8Array>, limit: number): void => {
  for (const key of cache.keys()) {
    if (cache.size <= limit) return;
    cache.delete(key);
  }
};

type Memory = {
  readonly recent: Map<string, Uint8Array>;
  readonly cache: Map<string, Uint8Array>;
  readonly pinned: Map<string, Uint8Array>;
};

type Hash = Crypto['blake2b256'];

/** What the disk gave for a hash. Throws `StorageBroken` when it is something else. */
const proven = (blake2b256: Hash, hash: Uint8Array, bytes: Uint8Array): Uint8Array => {
  if (!equalBytes(blake2b256(bytes), hash)) throw recordDamage('nodes', hash, 'does not match its hash');
  return bytes;
};

const loadInto = async (
  db: Database,
  blake2b256: Hash,
  memory: Memory,
  hashes: readonly Uint8Array[],
): Promise<void> => {
  const found = await db.getMany('nodes', hashes);
  for (const [index, bytes] of found.entries()) {
    const hash = hashes[index] as Uint8Array;
    const key = bytesToKey(hash);
    // A journal may have been moved, or a block committed, while the read was under way.
    const node = bytes === null ? memory.recent.get(key) : proven(blake2b256, hash, bytes);
    if (node === undefined) throw recordDamage('nodes', hash, 'is missing');
    memory.pinned.set(key, node);
  }
};

/** The trie nodes of a journal's record, each under its hash. */
export const readJournal = (record: Uint8Array): [key: string, bytes: Uint8Array][] => {
  const read = (reader: Reader): [string, Uint8Array] => [
    bytesToKey(reader.take(32)),
    reader.vecBytes().slice(),
  ];
  return new Reader(record).vec(read);
};

const readJournals = async (db: Database, memory: Memory): Promise<{ sequences: number[]; next: number }> => {
  const sequences: number[] = [];
  for (const [key, bytes] of await db.range('journals', {})) {
    const sequence = Number(new DataView(key.buffer, key.byteOffset).getBigUint64(0));
    sequences.push(sequence);
    for (const [hash, node] of readJournal(bytes)) memory.recent.set(hash, node);
  }
  return { sequences, next: (sequences.at(-1) ?? 0) + 1 };
};

export const openNodeStore = async (
  db: Database,
  options: { readonly blake2b256: Hash; readonly cacheNodes: number },
): Promise<NodeStore> => {
  const { blake2b256 } = options;
  const memory: Memory = { recent: new Map(), cache: new Map(), pinned: new Map() };
  const opened = await readJournals(db, memory);
  let sequences = opened.sequences;
  let next = opened.next;
  let running = 0;

  const release = (): void => {
    running--;
    if (running > 0) return;
    for (const [key, bytes] of memory.pinned) memory.cache.set(key, bytes);
    memory.pinned.clear();
    trim(memory.cache, options.cacheNodes);
  };

  return {
    getNode: (hash) => {
      const key = bytesToKey(hash);
      const known = memory.recent.get(key) ?? memory.cache.get(key) ?? memory.pinned.get(key);
      if (known !== undefined) return known;
      const stored = db.getSync?.('nodes', hash) ?? null;
      return stored === null ? null : proven(blake2b256, hash, stored);
    },
    run: async (attempt) => {
      running++;
      try {
        for (;;) {
          try {
            return attempt();
          } catch (error) {
            if (!(error instanceof MissingNodes)) throw error;
            await loadInto(db, blake2b256, memory, error.hashes);
          }
        }
      } finally {
        release();
      }
    },
    tryRun: (attempt) => {
      try {
        return { value: attempt() };
      } catch (error) {
        if (!(error instanceof MissingNodes)) throw error;
        return null;
      }
    },
    stage: (nodes, batch) => {
      if (nodes.length > 0) batch.puts.push(['journals', sequenceKey(next), encodeJournal(nodes)]);
    },
    accept: (nodes) => {
      if (nodes.length === 0) return;
      sequences.push(next++);
      for (const [hash, bytes] of nodes) memory.recent.set(bytesToKey(hash), bytes);
    },
    flush: async () => {
      const moved = sequences;
      const nodes = [...memory.recent];
      if (moved.length === 0) return;
      sequences = [];
      try {
        await db.write({
          puts: nodes.map(([key, bytes]) => ['nodes', keyToBytes(key), bytes] as const),
          deletes: moved.map((sequence) => ['journals', sequenceKey(sequence)] as const),
        });
      } catch (error) {
        sequences = [...moved, ...sequences];
        throw error;
      }
      for (const [key, bytes] of nodes) {
        memory.recent.delete(key);
        memory.cache.set(key, bytes);
      }
      trim(memory.cache, options.cacheNodes);
    },
    journals: () => sequences.length,
  };
};
