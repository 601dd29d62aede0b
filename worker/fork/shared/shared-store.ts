import { concatBytes, equalBytes, textToBytes } from '../../bytes/bytes.ts';
import type { NodeStore } from '../../db/node-store.ts';
import type { Hash256, NodeBatch } from '../../trie/node-source.ts';

/** What forks have read of live chains, for those that come later. Nothing that goes wrong with it is an error. */
export type SharedStore = {
  readonly limitBytes: number;
  /** How many nodes were found in it, instead of being read from a live chain. */
  found(): number;
  /** Nodes by hash, verified; null for each that it does not have. */
  nodes(hashes: readonly Uint8Array[]): Promise<readonly (Uint8Array | null)[]>;
  addNodes(nodes: NodeBatch): void;
  /** Bytes under a name, such as `facts 0x91b1…`; null if it does not have them. */
  record(name: string): Promise<Uint8Array | null>;
  setRecord(name: string, bytes: Uint8Array): void;
  close(): Promise<void>;
};

const checksumLength = 8;

export const createSharedStore = (store: NodeStore, blake2b256: Hash256): SharedStore => {
  let found = 0;
  const keyOf = (name: string): Uint8Array => blake2b256(textToBytes(`tabnode ${name}`));
  const checksumOf = (key: Uint8Array, bytes: Uint8Array): Uint8Array =>
    blake2b256(concatBytes(key, bytes)).subarray(0, checksumLength);
  return {
    limitBytes: store.limitBytes,
    found: () => found,
    nodes: async (hashes) => {
      const stored = await store.read(hashes);
      return stored.map((node, index) => {
        if (node === null || !equalBytes(blake2b256(node), hashes[index] as Uint8Array)) return null;
        found += 1;
        return node;
      });
    },
    addNodes: (nodes) => {
      for (const [hash, node] of nodes) store.add(hash, node);
    },
    record: async (name) => {
      const key = keyOf(name);
      const [stored = null] = await store.read([key]);
      if (stored === null || stored.length < checksumLength) return null;
      const bytes = stored.slice(0, -checksumLength);
      return equalBytes(checksumOf(key, bytes), stored.subarray(bytes.length)) ? bytes : null;
    },
    setRecord: (name, bytes) => {
      const key = keyOf(name);
      store.add(key, concatBytes(bytes, checksumOf(key, bytes)), true);
    },
    close: store.close,
  };
};

/** Where there is none: for a fork in memory. */
export const noSharedStore: SharedStore = {
  limitBytes: 0,
  found: () => 0,
  nodes: async (hashes) => hashes.map(() => null),
  addNodes: () => undefined,
  record: async () => null,
  setRecord: () => undefined,
  close: async () => undefined,
};
