import { equalBytes } from '../bytes/bytes.ts';
import { locateMiss } from './missing-nodes.ts';
import { commonNibbles, joinPartials, keyThrough, nibbleAt } from './nibbles.ts';
import {
  copyNode,
  createLeaf,
  hashedValue,
  inlineValue,
  noValue,
  type StateVersion,
  slotsOf,
  type TrieNode,
} from './node-codec.ts';
import { childAt, type TrieContext } from './trie-context.ts';

/** The size from which V1 stores a value by hash (sp-storage, `TRIE_VALUE_NODE_THRESHOLD`). */
export const hashedFrom = 33;

/** Nodes of this edit are changed in place; older ones are copied. */
const editable = (context: TrieContext, node: TrieNode): TrieNode => {
  if (node.createdBy === context.clock) return node;
  context.replaced.nodes.push(node);
  return copyNode(node, context.clock);
};

/** Records the removal of the node's value. */
const dropValue = ({ replaced }: TrieContext, { valueKind, valueHash, valueCreatedBy }: TrieNode): void => {
  if (valueKind === hashedValue)
    replaced.values.push({ hash: valueHash as Uint8Array, createdBy: valueCreatedBy });
};

const putValue = (context: TrieContext, node: TrieNode, value: Uint8Array, version: StateVersion): void => {
  const hashed = version === 1 && value.length >= hashedFrom;
  node.valueKind = hashed ? hashedValue : inlineValue;
  node.value = value;
  node.valueHash = hashed ? context.hash(value) : null;
  node.valueCreatedBy = context.clock;
};

/**
 * Whether a write changes neither the value nor its form. A changed form counts: state migration rewrites
 * equal values.
 */
const keepsValue = (
  context: TrieContext,
  node: TrieNode,
  value: Uint8Array,
  version: StateVersion,
): boolean => {
  const hashed = version === 1 && value.length >= hashedFrom;
  if (node.valueKind !== (hashed ? hashedValue : inlineValue)) return false;
  if (hashed && node.value === null) return equalBytes(node.valueHash as Uint8Array, context.hash(value));
  return equalBytes(node.value as Uint8Array, value);
};

const setBranchChild = (branch: TrieNode, slot: number, child: TrieNode): void => {
  slotsOf(branch)[slot] = child;
  branch.bitmap |= 1 << slot;
};

/** A copy of the node without its first `count` nibbles. */
const shortened = (context: TrieContext, node: TrieNode, count: number): TrieNode => {
  const out = editable(context, node);
  out.partialStart += count;
  out.partialCount -= count;
  return out;
};

/**
 * The subtree with the value at `key` from nibble `at` on. Returns the same object if nothing changed. Throws
 * `MissingNodes`.
 */
export const insertValue = (
  context: TrieContext,
  node: TrieNode | null,
  key: Uint8Array,
  at: number,
  value: Uint8Array,
  version: StateVersion,
): TrieNode => {
  const left = key.length * 2 - at;
  if (node === null) {
    const leaf = createLeaf(context.clock, key, at, left);
    putValue(context, leaf, value, version);
    return leaf;
  }
  const count = node.partialCount;
  const common = commonNibbles(node.partial, node.partialStart, count, key, at);
  if (common < count) {
    const branch = createLeaf(context.clock, node.partial, node.partialStart, common);
    const slot = nibbleAt(node.partial, node.partialStart + common);
    setBranchChild(branch, slot, shortened(context, node, common + 1));
    if (common === left) putValue(context, branch, value, version);
    else
      setBranchChild(
        branch,
        nibbleAt(key, at + common),
        insertValue(context, null, key, at + common + 1, value, version),
      );
    return branch;
  }
  if (common === left) {
    if (keepsValue(context, node, value, version)) return node;
    dropValue(context, node);
    const out = editable(context, node);
    putValue(context, out, value, version);
    return out;
  }
  const slot = nibbleAt(key, at + count);
  const child = ((node.bitmap >> slot) & 1) === 1 ? childAt(context, node, slot) : null;
  const next = insertValue(context, child, key, at + count + 1, value, version);
  if (next === child) return node;
  const out = editable(context, node);
  setBranchChild(out, slot, next);
  return out;
};

/** The child that a removal merges with its branch, which ends at nibble `at` of `key`. It lies beside the key's path. */
const siblingAt = (
  context: TrieContext,
  branch: TrieNode,
  slot: number,
  key: Uint8Array,
  at: number,
): TrieNode => {
  try {
    return childAt(context, branch, slot);
  } catch (error) {
    locateMiss(error, keyThrough(key, at, slot));
    throw error;
  }
};

/**
 * Restores the structure after a removal. A branch without a value is replaced by its only child, or removed
 * if it has none.
 */
const collapse = (context: TrieContext, branch: TrieNode, key: Uint8Array, at: number): TrieNode | null => {
  if (branch.valueKind !== noValue) {
    if (branch.bitmap === 0) branch.children = null;
    return branch;
  }
  if (branch.bitmap === 0) return null;
  if ((branch.bitmap & (branch.bitmap - 1)) !== 0) return branch;
  const slot = 31 - Math.clz32(branch.bitmap);
  const child = siblingAt(context, branch, slot, key, at);
  const partial = joinPartials(branch, slot, child);
  const count = branch.partialCount + 1 + child.partialCount;
  const out = editable(context, child);
  out.partial = partial;
  out.partialStart = count & 1;
  out.partialCount = count;
  return out;
};

/**
 * The subtree without `key`. Returns the same object if nothing changed, null if nothing is left. Throws
 * `MissingNodes`.
 */
export const removeValue = (
  context: TrieContext,
  node: TrieNode,
  key: Uint8Array,
  at: number,
): TrieNode | null => {
  const count = node.partialCount;
  if (commonNibbles(node.partial, node.partialStart, count, key, at) < count) return node;
  const here = at + count;
  if (here === key.length * 2) {
    if (node.valueKind === noValue) return node;
    dropValue(context, node);
    if (node.bitmap === 0) {
      context.replaced.nodes.push(node);
      return null;
    }
    const out = editable(context, node);
    out.valueKind = noValue;
    out.value = null;
    out.valueHash = null;
    return collapse(context, out, key, here);
  }
  const slot = nibbleAt(key, here);
  if (((node.bitmap >> slot) & 1) === 0) return node;
  const child = childAt(context, node, slot);
  const next = removeValue(context, child, key, here + 1);
  if (next === child) return node;
  const out = editable(context, node);
  if (next !== null) {
    slotsOf(out)[slot] = next;
    return out;
  }
  slotsOf(out)[slot] = null;
  out.bitmap &= ~(1 << slot);
  return collapse(context, out, key, here);
};
