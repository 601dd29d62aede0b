import { Reader } from '../bytes/reader.ts';
import type { NodeBatch } from './node-source.ts';

/** Many nodes in one array of bytes: each takes 12 bytes of memory besides its hash and its own bytes. */
export type PackedNodes = {
  /** SCALE: a list of hashes, each with the bytes of its node. */
  readonly record: Uint8Array;
  readonly length: number;
  /** A copy of a node, by its place in the order of the hashes, of which only the first 26 bits count. */
  at(index: number): readonly [hash: Uint8Array, bytes: Uint8Array];
  /** A copy of the node with the hash that a key stands for (`bytesToKey`). */
  find(key: string): Uint8Array | undefined;
};

export const isPacked = (nodes: NodeBatch | PackedNodes): nodes is PackedNodes => 'record' in nodes;

export const listNodes = (nodes: NodeBatch | PackedNodes): NodeBatch =>
  isPacked(nodes) ? Array.from({ length: nodes.length }, (_, at) => nodes.at(at)) : nodes;

const prefixBits = 26;
const indexes = 2 ** 27;

/** Places are numbers that sort as the nodes do: the beginning of the hash, then the index. */
const placeOf = (a: number, b: number, c: number, d: number): number =>
  ((((a << 24) | (b << 16) | (c << 8) | d) >>> 0) >>> (32 - prefixBits)) * indexes;

/** Throws `BadScale`. */
export const openPacked = (record: Uint8Array): PackedNodes => {
  const reader = new Reader(record);
  const length = reader.compact();
  // Each takes more than 32 bytes, so that no number allocates more than the record has.
  const offsets = new Uint32Array(Math.min(length, record.length >> 5));
  const places = new Float64Array(offsets.length);
  for (let index = 0; index < length; index++) {
    const at = reader.skip(32);
    offsets[index] = at;
    const [a, b, c, d] = [record[at], record[at + 1], record[at + 2], record[at + 3]] as number[];
    places[index] = placeOf(a as number, b as number, c as number, d as number) + index;
    reader.skip(reader.compact());
  }
  places.sort();
  const offsetOf = (place: number): number => offsets[(places[place] as number) % indexes] as number;
  const bytesAt = (offset: number): Uint8Array => new Reader(record, offset + 32).vecBytes().slice();
  const isAt = (offset: number, key: string): boolean => {
    for (let i = 0; i < 32; i++) if (record[offset + i] !== key.charCodeAt(i)) return false;
    return true;
  };
  return {
    record,
    length,
    at: (index) => {
      const offset = offsetOf(index);
      return [record.slice(offset, offset + 32), bytesAt(offset)];
    },
    find: (key) => {
      const first = placeOf(key.charCodeAt(0), key.charCodeAt(1), key.charCodeAt(2), key.charCodeAt(3));
      let low = 0;
      for (let high = length; low < high; ) {
        const middle = (low + high) >> 1;
        if ((places[middle] as number) < first) low = middle + 1;
        else high = middle;
      }
      for (; low < length && (places[low] as number) < first + indexes; low++)
        if (isAt(offsetOf(low), key)) return bytesAt(offsetOf(low));
      return undefined;
    },
  };
};
