import { bytesToKey } from '../bytes/bytes.ts';
import type { CacheSlot, TrieNode } from './node-codec.ts';

/** The node of an empty trie. No source holds it. */
const emptyNode: Uint8Array = /* @__PURE__ */ new Uint8Array(1);

/**
 * The trie nodes and hashed values that reads have passed, each once, by hash (sp-trie, `recorder.rs`). A
 * layer is a transaction of the client: if it is dropped, what was first read in it is removed again. The
 * transactions that the runtime opens do not affect the recorder.
 */
export type ProofRecorder = {
  /**
   * Records a node. One that is embedded in its parent's encoding is not counted separately, unless it is
   * the root.
   */
  node(node: TrieNode, isRoot: boolean): void;
  /** Records the value of a node that stores it by hash. */
  value(node: TrieNode, value: Uint8Array): void;
  /** Records the root of a trie without keys. */
  emptyRoot(hash: Uint8Array): void;
  startLayer(): void;
  endLayer(keep: boolean): void;
  /** The sum of the SCALE lengths of what is recorded: the result of `ext_storage_proof_size`. */
  size(): number;
  nodes(): Uint8Array[];
  /** The hashes of what is recorded, each as a key (`bytesToKey`). */
  hashes(): Iterable<string>;
};

/** SCALE length of a byte vector of less than 1 GiB. */
const encodedSize = ({ length }: Uint8Array): number => length + (length < 64 ? 1 : length < 0x4000 ? 2 : 4);

/** The key of a node's hash. The hash of a loaded node is only in the cache and in its parent. */
const keyOf = ({ hash, cacheSlot }: TrieNode): string =>
  hash === null ? (cacheSlot as CacheSlot).key : bytesToKey(hash);

/** `ignored`: the keys of hashes that are never recorded. */
export const createProofRecorder = (ignored: ReadonlySet<string> = new Set()): ProofRecorder => {
  const recorded = new Map<string, Uint8Array>();
  /** What each open layer has added. */
  const layers: string[][] = [];
  // A hash takes longer to look up than an object, and most reads pass the same nodes.
  const passed = new Set<TrieNode>();
  const valued = new Set<TrieNode>();
  let size = 0;
  const add = (key: string, bytes: Uint8Array): void => {
    if (recorded.has(key) || ignored.has(key)) return;
    recorded.set(key, bytes);
    layers.at(-1)?.push(key);
    size += encodedSize(bytes);
  };
  const drop = (key: string): void => {
    size -= encodedSize(recorded.get(key) as Uint8Array);
    recorded.delete(key);
  };
  return {
    node: (node, isRoot) => {
      if (passed.has(node)) return;
      passed.add(node);
      const encoded = node.encoded as Uint8Array;
      if (isRoot || encoded.length >= 32) add(keyOf(node), encoded);
    },
    value: (node, value) => {
      if (valued.has(node)) return;
      valued.add(node);
      add(bytesToKey(node.valueHash as Uint8Array), value);
    },
    emptyRoot: (hash) => add(bytesToKey(hash), emptyNode),
    startLayer: () => void layers.push([]),
    endLayer: (keep) => {
      const added = layers.pop() ?? [];
      if (keep) {
        const outer = layers.at(-1);
        if (outer !== undefined) for (const key of added) outer.push(key);
        return;
      }
      for (const key of added) drop(key);
      passed.clear();
      valued.clear();
    },
    size: () => size,
    nodes: () => [...recorded.values()],
    hashes: () => recorded.keys(),
  };
};
