import { commonNibbles, copyNibbles, nibbleAt } from './nibbles.ts';
import { compactSize, type StateVersion, writeCompact } from './node-codec.ts';
import type { Hash256 } from './node-source.ts';
import { emptyRoot } from './trie.ts';
import { hashedFrom } from './trie-edit.ts';

type Pair = readonly [key: Uint8Array, value: Uint8Array];

/** Pairs of distinct keys in byte order. */
export type SortedPairs = readonly Pair[];

const hashSize = 32;

/** Where nodes are collected, one after the other. */
export type NodeList = {
  /** Adds a node and returns its hash. */
  add(bytes: Uint8Array): Uint8Array;
  /** SCALE: a list of hashes, each with the bytes of its node (`openPacked`). */
  finish(): Uint8Array;
};

export const createNodeList = (hash: Hash256): NodeList => {
  let list = new Uint8Array(1 << 16);
  /** The number of nodes comes first, in the form that takes four bytes. */
  let end = 4;
  let count = 0;
  return {
    add: (bytes) => {
      const size = hashSize + compactSize(bytes.length) + bytes.length;
      if (end + size > list.length) {
        const larger = new Uint8Array(Math.max(list.length * 2, end + size));
        larger.set(list.subarray(0, end));
        list = larger;
      }
      const name = hash(bytes);
      list.set(name, end);
      list.set(bytes, writeCompact(list, end + hashSize, bytes.length));
      end += size;
      count++;
      return name;
    },
    finish: () => {
      const start = 4 - compactSize(count);
      writeCompact(list, start, count);
      return list.slice(start, end);
    },
  };
};

/** Where the keys end that have the nibble of the first one at place `at`. */
const endOfSlot = (pairs: SortedPairs, from: number, to: number, at: number): number => {
  const nibble = nibbleAt((pairs[from] as Pair)[0], at);
  let low = from + 1;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (nibbleAt((pairs[middle] as Pair)[0], at) === nibble) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** The first byte of a node, without the length of its partial key, and how many bits that has. */
const headerOf = (isLeaf: boolean, hasValue: boolean, isHashed: boolean): readonly [number, number] => {
  if (isHashed) return isLeaf ? [0x20, 5] : [0x10, 4];
  if (isLeaf) return [0x40, 6];
  return [hasValue ? 0xc0 : 0x80, 6];
};

type Parts = {
  readonly key: Uint8Array;
  /** The partial key, in nibbles of the key. */
  readonly start: number;
  readonly count: number;
  /** The value or its hash. */
  readonly stored: Uint8Array | null;
  readonly isHashed: boolean;
  readonly bitmap: number;
  readonly children: readonly Uint8Array[];
};

/** sp-trie, `node_codec.rs`. */
const encodeParts = ({ key, start, count, stored, isHashed, bitmap, children }: Parts): Uint8Array => {
  const isLeaf = bitmap === 0;
  const [head, bits] = headerOf(isLeaf, stored !== null, isHashed);
  const max = (1 << bits) - 1;
  const long = count >= max ? Math.floor((count - max) / 255) + 1 : 0;
  let size = 1 + long + ((count + 1) >> 1) + (isLeaf ? 0 : 2);
  if (stored !== null) size += stored.length + (isHashed ? 0 : compactSize(stored.length));
  for (const { length } of children) size += 1 + length;
  const out = new Uint8Array(size);
  out[0] = head | Math.min(count, max);
  if (long > 0) {
    out.fill(255, 1, long);
    out[long] = (count - max) % 255;
  }
  copyNibbles(out, 2 * (1 + long) + (count & 1), key, start, count);
  let at = 1 + long + ((count + 1) >> 1);
  if (!isLeaf) {
    out[at++] = bitmap & 255;
    out[at++] = bitmap >> 8;
  }
  if (stored !== null) {
    if (!isHashed) at = writeCompact(out, at, stored.length);
    out.set(stored, at);
    at += stored.length;
  }
  for (const child of children) {
    out[at++] = child.length << 2;
    out.set(child, at);
    at += child.length;
  }
  return out;
};

/**
 * The root of the trie of sorted pairs, which is built from its leaves upwards: each node is encoded and hashed once, and none is
 * kept in decoded form. Adds the nodes that `Trie.collectNew` would return, each before the one that refers to it.
 */
export const buildTrie = (
  hash: Hash256,
  pairs: SortedPairs,
  version: StateVersion,
  nodes: NodeList,
): Uint8Array => {
  /** The node over `pairs[from..to]`, whose keys agree before nibble `start`. */
  const encode = (from: number, to: number, start: number): Uint8Array => {
    const [key, value] = pairs[from] as Pair;
    const left = key.length * 2 - start;
    const [last] = pairs[to - 1] as Pair;
    const count = to - from === 1 ? left : commonNibbles(key, start, left, last, start);
    const end = start + count;
    const own = count === left ? value : null;
    const isHashed = own !== null && version === 1 && own.length >= hashedFrom;
    const stored = isHashed ? nodes.add(own) : own;
    const children: Uint8Array[] = [];
    let bitmap = 0;
    for (let next = own === null ? from : from + 1; next < to; ) {
      const stop = endOfSlot(pairs, next, to, end);
      bitmap |= 1 << nibbleAt((pairs[next] as Pair)[0], end);
      const child = encode(next, stop, end + 1);
      children.push(child.length < hashSize ? child : nodes.add(child));
      next = stop;
    }
    return encodeParts({ key, start, count, stored, isHashed, bitmap, children });
  };
  return pairs.length === 0 ? emptyRoot(hash) : nodes.add(encode(0, pairs.length, 0));
};
