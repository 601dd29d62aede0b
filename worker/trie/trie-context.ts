import { MissingNodes, missingNode } from './missing-nodes.ts';
import { commonNibbles, nibbleAt } from './nibbles.ts';
import { createNodeCache, inlineNodeBytes, type NodeCache } from './node-cache.ts';
import {
  baseReference,
  decodeNode,
  evicted,
  hashedValue,
  slotsOf,
  type TrieNode,
  used,
} from './node-codec.ts';
import type { Hash256, NodeSource } from './node-source.ts';

/** State shared by a trie and those derived from it. */
export type TrieContext = {
  readonly hash: Hash256;
  readonly source: NodeSource;
  readonly cache: NodeCache;
  /** Returns the bytes of a node or value. Throws `MissingNodes`. */
  readonly read: (hash: Uint8Array) => Uint8Array;
  /** Counts edits. A node created after a trie's `since` is new to it. */
  clock: number;
  /** What the current edit removed. */
  replaced: Replaced;
};

/** Nodes and hashed values that an edit removed, including those it created itself. */
export type Replaced = {
  readonly nodes: TrieNode[];
  readonly values: { readonly hash: Uint8Array; readonly createdBy: number }[];
  /** Whether a change was made to a trie without keys. */
  wasEmpty: boolean;
};

export const createReplaced = (): Replaced => ({ nodes: [], values: [], wasEmpty: false });

export const createContext = (hash: Hash256, source: NodeSource): TrieContext => ({
  hash,
  source,
  cache: source.cache ?? createNodeCache(Number.POSITIVE_INFINITY),
  read: (name) => {
    const bytes = source.getNode(name);
    if (bytes === null) throw new MissingNodes([missingNode(name.slice(), null, source)]);
    return bytes;
  },
  clock: 0,
  replaced: createReplaced(),
});

/** The child of a branch at a slot whose bit is set. Throws `MissingNodes`. */
export const childAt = ({ cache, read }: TrieContext, branch: TrieNode, slot: number): TrieNode => {
  const known = branch.children?.[slot];
  if (known !== null && known !== undefined && known.clockBit !== evicted) {
    if (known.clockBit !== used) known.clockBit = used;
    return known;
  }
  const reference = baseReference(branch, slot);
  const isInline = reference.length < 32;
  if (isInline) cache.grow(branch, inlineNodeBytes);
  const child = isInline ? decodeNode(reference) : cache.node(reference, read, branch, slot);
  slotsOf(branch)[slot] = child;
  return child;
};

/** The value of a node, loaded if it is stored by hash. Throws `MissingNodes`. */
export const loadedValue = (context: TrieContext, node: TrieNode): Uint8Array | null => {
  if (node.value !== null || node.valueKind !== hashedValue) return node.value;
  const value = context.read(node.valueHash as Uint8Array);
  node.value = value;
  context.cache.grow(node, value.length);
  return value;
};

/** The node exactly at a key, with or without a value. Calls `onNode` for each node on the path. */
export const findNode = (
  context: TrieContext,
  root: TrieNode | null,
  key: Uint8Array,
  onNode?: (node: TrieNode) => void,
): TrieNode | null => {
  const end = key.length * 2;
  let node = root;
  let at = 0;
  while (node !== null) {
    onNode?.(node);
    const count = node.partialCount;
    if (commonNibbles(node.partial, node.partialStart, count, key, at) < count) return null;
    at += count;
    if (at === end) return node;
    const slot = nibbleAt(key, at);
    if (((node.bitmap >> slot) & 1) === 0) return null;
    at++;
    node = childAt(context, node, slot);
  }
  return null;
};
