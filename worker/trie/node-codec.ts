import { NodeError } from '../../src/protocol/errors.ts';
import { packNibbles } from './nibbles.ts';

/** 0: values always inline. 1: values of 33 bytes or more by hash (sp-storage, `StateVersion`). */
export type StateVersion = 0 | 1;

export const noValue = 0;
export const inlineValue = 1;
export const hashedValue = 2;
export type ValueKind = typeof noValue | typeof inlineValue | typeof hashedValue;

/** A node's state in the cache's clock: evicted, unused since the hand passed, or used. */
export const evicted = 0;
export const unused = 1;
export const used = 2;

/**
 * One decoded node. The partial key is a range of nibbles in packed bytes, so neither decoding nor inserting
 * copies it. A branch resolves its children when first walked: a set bit of `bitmap` with a null slot means
 * that the child is referenced in `base`, the last known encoding of this branch.
 */
export type TrieNode = {
  /** The edit that created the node; 0 if it was loaded. */
  createdBy: number;
  encoded: Uint8Array | null;
  /** Set for nodes created here. The hash of a loaded node is in its parent's `base`. */
  hash: Uint8Array | null;
  partial: Uint8Array;
  partialStart: number;
  partialCount: number;
  valueKind: ValueKind;
  /** Null if absent, or stored by hash and not loaded. */
  value: Uint8Array | null;
  /** Always set if the value is stored by hash; otherwise a memo. */
  valueHash: Uint8Array | null;
  valueCreatedBy: number;
  bitmap: number;
  children: (TrieNode | null)[] | null;
  base: Uint8Array | null;
  baseBitmap: number;
  baseChildrenAt: number;
  clockBit: typeof evicted | typeof unused | typeof used;
  /** The node's cache data; null outside the cache. */
  cacheSlot: CacheSlot | null;
};

export type CacheSlot = {
  readonly key: string;
  /** In bytes. */
  cost: number;
  /** The cached parent that last linked to the node, and where. */
  holder: TrieNode | null;
  slot: number;
};

const broken = (): NodeError => new NodeError('BadScale', 'The bytes are not a trie node');

const noChildren: readonly (TrieNode | null)[] = /* @__PURE__ */ Array.from({ length: 16 }, () => null);

export const slotsOf = (node: TrieNode): (TrieNode | null)[] => {
  node.children ??= noChildren.slice();
  return node.children;
};

export const createLeaf = (
  createdBy: number,
  partial: Uint8Array,
  start: number,
  count: number,
): TrieNode => ({
  createdBy,
  encoded: null,
  hash: null,
  partial,
  partialStart: start,
  partialCount: count,
  valueKind: noValue,
  value: null,
  valueHash: null,
  valueCreatedBy: 0,
  bitmap: 0,
  children: null,
  base: null,
  baseBitmap: 0,
  baseChildrenAt: 0,
  clockBit: unused,
  cacheSlot: null,
});

export const copyNode = (node: TrieNode, createdBy: number): TrieNode => {
  const copy = createLeaf(createdBy, node.partial, node.partialStart, node.partialCount);
  copy.valueKind = node.valueKind;
  copy.value = node.value;
  copy.valueHash = node.valueHash;
  copy.valueCreatedBy = node.valueCreatedBy;
  copy.bitmap = node.bitmap;
  copy.children = node.children?.slice() ?? null;
  copy.base = node.base;
  copy.baseBitmap = node.baseBitmap;
  copy.baseChildrenAt = node.baseChildrenAt;
  return copy;
};

/** Reads a SCALE compact length. Returns [length, offset after it] through `cursor`. */
export const readLength = (bytes: Uint8Array, cursor: { at: number }): number => {
  const first = bytes[cursor.at];
  if (first === undefined) throw broken();
  const mode = first & 3;
  const size = mode === 0 ? 1 : mode === 1 ? 2 : 4;
  if (mode === 3 || cursor.at + size > bytes.length) throw broken();
  let value = 0;
  for (let i = size - 1; i >= 0; i--) value = value * 256 + (bytes[cursor.at + i] as number);
  cursor.at += size;
  return Math.floor(value / 4);
};

export const readPartialCount = (bytes: Uint8Array, bits: number, cursor: { at: number }): number => {
  const max = (1 << bits) - 1;
  let count = (bytes[cursor.at++] as number) & max;
  if (count < max) return count;
  for (;;) {
    const more = bytes[cursor.at++];
    if (more === undefined) throw broken();
    count += more;
    if (more < 255) return count;
  }
};

/** Where the child references end. Throws if one runs past the end or is longer than a hash. */
const skipChildren = (bytes: Uint8Array, start: number, bitmap: number): number => {
  let at = start;
  for (let rest = bitmap; rest !== 0; rest &= rest - 1) {
    const head = bytes[at];
    if (head === undefined || (head & 3) !== 0 || head >> 2 > 32) throw broken();
    at += 1 + (head >> 2);
  }
  if (at > bytes.length) throw broken();
  return at;
};

/**
 * Decodes one node (sp-trie, `node_codec.rs`) and keeps views into `bytes`. The node must fill `bytes` unless
 * `mayEndBefore`. Throws `BadScale`.
 */
export const decodeNode = (bytes: Uint8Array, mayEndBefore = false): TrieNode => {
  const head = bytes[0] ?? 0;
  const top = head >> 6;
  const bits = top !== 0 ? 6 : (head & 0x20) !== 0 ? 5 : 4;
  if (top === 0 && (head & 0x30) === 0) throw broken();
  const isBranch = top === 0 ? bits === 4 : top !== 1;
  const cursor = { at: 0 };
  const count = readPartialCount(bytes, bits, cursor);
  const node = createLeaf(0, bytes, cursor.at * 2 + (count & 1), count);
  node.encoded = bytes;
  cursor.at += (count + 1) >> 1;
  if (isBranch) {
    node.bitmap = (bytes[cursor.at] as number) | ((bytes[cursor.at + 1] as number) << 8);
    cursor.at += 2;
  }
  if (top === 1 || top === 3) {
    const length = readLength(bytes, cursor);
    node.valueKind = inlineValue;
    node.value = bytes.subarray(cursor.at, cursor.at + length);
    cursor.at += length;
  } else if (top === 0) {
    node.valueKind = hashedValue;
    node.valueHash = bytes.subarray(cursor.at, cursor.at + 32);
    cursor.at += 32;
  }
  if (isBranch) {
    if (node.bitmap === 0) throw broken();
    node.base = bytes;
    node.baseBitmap = node.bitmap;
    node.baseChildrenAt = cursor.at;
    cursor.at = skipChildren(bytes, cursor.at, node.bitmap);
  }
  // Detects any read past the end.
  if (mayEndBefore ? cursor.at > bytes.length : cursor.at !== bytes.length) throw broken();
  return node;
};

/**
 * The reference in `base` for a slot, as a view: a hash, or the child's encoding if shorter than 32 bytes.
 */
export const baseReference = (node: TrieNode, slot: number): Uint8Array => {
  const base = node.base as Uint8Array;
  let at = node.baseChildrenAt;
  for (let i = 0; i < slot; i++)
    if (((node.baseBitmap >> i) & 1) === 1) at += 1 + ((base[at] as number) >> 2);
  return base.subarray(at + 1, at + 1 + ((base[at] as number) >> 2));
};

export const compactSize = (value: number): number => (value < 64 ? 1 : value < 0x4000 ? 2 : 4);

export const writeCompact = (out: Uint8Array, offset: number, value: number): number => {
  const size = compactSize(value);
  let rest = value * 4 + (size === 1 ? 0 : size === 2 ? 1 : 2);
  for (let i = 0; i < size; i++) {
    out[offset + i] = rest & 255;
    rest = Math.floor(rest / 256);
  }
  return offset + size;
};

/** Header bits, and how many low bits count the partial key (sp-trie, `node_header.rs`). */
const headerOf = (node: TrieNode): readonly [head: number, bits: number] => {
  if (node.bitmap === 0) return node.valueKind === hashedValue ? [0x20, 5] : [0x40, 6];
  if (node.valueKind === hashedValue) return [0x10, 4];
  return node.valueKind === inlineValue ? [0xc0, 6] : [0x80, 6];
};

/** A child still referenced by `base`: never walked, or loaded and unchanged since. */
const isInBase = (child: TrieNode | null): boolean =>
  child === null || (child.hash === null && (child.encoded as Uint8Array).length >= 32);

/** The bitmap and at most one hash with its length per child. */
const maxChildrenSize = (bitmap: number): number => {
  let size = 2;
  for (let rest = bitmap; rest !== 0; rest &= rest - 1) size += 33;
  return size;
};

const writeChildren = (out: Uint8Array, offset: number, node: TrieNode): number => {
  let to = offset;
  let at = node.baseChildrenAt;
  for (let slot = 0; slot < 16; slot++) {
    const baseLength =
      ((node.baseBitmap >> slot) & 1) === 1 ? 1 + (((node.base as Uint8Array)[at] as number) >> 2) : 0;
    if (((node.bitmap >> slot) & 1) === 1) {
      const child = node.children?.[slot] ?? null;
      if (isInBase(child)) {
        for (let i = 0; i < baseLength; i++) out[to++] = (node.base as Uint8Array)[at + i] as number;
      } else {
        const encoded = (child as TrieNode).encoded as Uint8Array;
        const reference = encoded.length < 32 ? encoded : ((child as TrieNode).hash as Uint8Array);
        out[to++] = reference.length << 2;
        out.set(reference, to);
        to += reference.length;
      }
    }
    at += baseLength;
  }
  return to;
};

/** Encodes a node whose children are already encoded. */
export const encodeNode = (node: TrieNode): Uint8Array => {
  const [head, bits] = headerOf(node);
  const max = (1 << bits) - 1;
  const count = node.partialCount;
  const isBranch = node.bitmap !== 0;
  const long = count >= max ? Math.floor((count - max) / 255) + 1 : 0;
  const value = node.valueKind === hashedValue ? node.valueHash : node.value;
  let size = 1 + long + ((count + 1) >> 1) + (isBranch ? maxChildrenSize(node.bitmap) : 0);
  if (value !== null && node.valueKind !== noValue) {
    size += value.length + (node.valueKind === inlineValue ? compactSize(value.length) : 0);
  }
  const out = new Uint8Array(size);
  out[0] = head | Math.min(count, max);
  for (let i = 1; i < long; i++) out[i] = 255;
  if (long > 0) out[long] = (count - max) % 255;
  let at = packNibbles(out, 1 + long, node.partial, node.partialStart, count);
  if (isBranch) {
    out[at++] = node.bitmap & 255;
    out[at++] = node.bitmap >> 8;
  }
  if (value !== null && node.valueKind !== noValue) {
    if (node.valueKind === inlineValue) at = writeCompact(out, at, value.length);
    out.set(value, at);
    at += value.length;
  }
  if (!isBranch) return out;
  const end = writeChildren(out, at, node);
  const encoded = end === size ? out : out.slice(0, end);
  node.base = encoded;
  node.baseBitmap = node.bitmap;
  node.baseChildrenAt = at;
  return encoded;
};
