import { MissingNodes } from './missing-nodes.ts';
import { commonNibbles, nibbleAt } from './nibbles.ts';
import { baseReference, decodeNode, hashedValue, slotsOf, type TrieNode } from './node-codec.ts';
import type { Hash256, NodeSource } from './node-source.ts';

/** What all tries of one lineage share. */
export type TrieContext = {
  readonly hash: Hash256;
  readonly source: NodeSource;
  /** Counts edits: a node born later than a trie's `since` is new to it. */
  clock: number;
  /** How many nodes were decoded from the source: a measure of what the lineage keeps in memory. */
  loaded: number;
  /** A path buffer for the next walk; null while a walk uses it. */
  path: Uint8Array | null;
};

/** The node under a hash. Throws `MissingNodes`. */
export const loadNode = (context: TrieContext, hash: Uint8Array): TrieNode => {
  const bytes = context.source.getNode(hash);
  if (bytes === null) throw new MissingNodes([hash.slice()]);
  context.loaded++;
  return decodeNode(bytes);
};

/** The child of a branch whose bit is set. Throws `MissingNodes`. */
export const childAt = (context: TrieContext, branch: TrieNode, slot: number): TrieNode => {
  const slots = slotsOf(branch);
  const known = slots[slot];
  if (known !== null && known !== undefined) return known;
  const reference = baseReference(branch, slot);
  const child = reference.length < 32 ? decodeNode(reference) : loadNode(context, reference);
  slots[slot] = child;
  return child;
};

/** The value of a node, loaded when it is kept under its hash. Throws `MissingNodes`. */
export const loadedValue = (context: TrieContext, node: TrieNode): Uint8Array | null => {
  if (node.value === null && node.valueKind === hashedValue) {
    const hash = node.valueHash as Uint8Array;
    const bytes = context.source.getNode(hash);
    if (bytes === null) throw new MissingNodes([hash.slice()]);
    node.value = bytes;
  }
  return node.value;
};

/** The node exactly at a key, with or without a value; `onNode` sees each node on the way. */
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
