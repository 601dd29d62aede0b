import { noBytes } from '../bytes/bytes.ts';
import type { Span } from './scan-keys.ts';

/** A chunk is dropped as a whole. */
const chunkBytes = 256 * 1024;
const hashBytes = 32;
const headBytes = hashBytes + 4;
/** Places in the index for the nodes whose hashes begin alike. */
const bucketSize = 8;
/** What a node takes up on average: it decides about the size of the index. */
const usualBytes = 128;
/** Of so many chunks that a scan fills when there is no room, one takes the place of an older one. */
const admitted = 16;

/**
 * Encoded nodes by hash, without an object for each: 50 bytes beyond the encoding. For scans, which read a state in
 * order, perhaps again and again: once it is full, a further chunk mostly takes the place of the last one but one, so
 * that a state larger than the limit still finds its beginning here the next time.
 */
export type PackedNodes = {
  /** The node whose hash is at an offset. The result is overwritten by the next one. */
  find(bytes: Uint8Array, at: number): Span | null;
  /** A view of a larger buffer, which stays valid but should not be kept. */
  get(hash: Uint8Array): Uint8Array | null;
  /** Returns what `get` does now, or the given bytes if they are too long. */
  put(hash: Uint8Array, bytes: Uint8Array): Uint8Array;
  /** Memory of the chunks and the index. */
  bytes(): number;
};

type Chunk = { readonly bytes: Uint8Array; readonly view: DataView; used: number };

const createChunk = (): Chunk => {
  const bytes = new Uint8Array(chunkBytes);
  return { bytes, view: new DataView(bytes.buffer), used: 0 };
};

const hasHash = (bytes: Uint8Array, at: number, hash: Uint8Array, from: number): boolean => {
  for (let i = 0; i < hashBytes; i++) if (bytes[at + i] !== hash[from + i]) return false;
  return true;
};

/** The index: a place is the offset of an entry in the row of all chunks, plus one; 0 is free. */
const createPlaces = (nodes: number) => {
  let buckets = 1;
  while (buckets * bucketSize < nodes * 2) buckets *= 2;
  const places = new Uint32Array(buckets * bucketSize);
  /** The hash is random, so its first bytes are as good as any hash of it. */
  const bucketOf = (bytes: Uint8Array, at: number): number => {
    const start =
      (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16);
    return (start & (buckets - 1)) * bucketSize;
  };
  let turn = 0;
  return {
    places,
    bucketOf,
    replace: (bucket: number, old: number, place: number): boolean => {
      for (let at = bucket; at < bucket + bucketSize; at++)
        if (places[at] === old) {
          places[at] = place;
          return true;
        }
      return false;
    },
    /** Forgets another node of a full bucket. */
    force: (bucket: number, place: number): void => {
      turn = (turn + 1) % bucketSize;
      places[bucket + turn] = place;
    },
  };
};

/** The slot of the next chunk, of at most `most`. */
const createTurns = (most: number) => {
  let turns = 0;
  let oldest = 0;
  return (count: number, current: number, previous: number): number => {
    if (count < most) return count;
    if (++turns % admitted !== 0) return previous;
    do oldest = (oldest + 1) % most;
    while (most > 2 && (oldest === current || oldest === previous));
    return oldest;
  };
};

/** Up to `limit` bytes, in at least two chunks. `onBytes` is told how many there are when they become more. */
export const createPackedNodes = (limit: number, onBytes: (bytes: number) => void): PackedNodes => {
  const most = Math.max(2, Math.floor(limit / chunkBytes));
  const { places, bucketOf, replace, force } = createPlaces((most * chunkBytes) / usualBytes);
  const chunks: Chunk[] = [];
  let current = -1;
  let previous = -1;
  const nextSlot = createTurns(most);
  const size = (): number => chunks.length * chunkBytes + places.byteLength;

  const span = { bytes: noBytes, at: 0, end: 0 };
  const find = (hash: Uint8Array, from: number): Span | null => {
    const bucket = bucketOf(hash, from);
    for (let i = bucket; i < bucket + bucketSize; i++) {
      const place = places[i] as number;
      if (place === 0) continue;
      const { bytes, view } = chunks[Math.floor((place - 1) / chunkBytes)] as Chunk;
      const at = (place - 1) % chunkBytes;
      if (!hasHash(bytes, at, hash, from)) continue;
      span.bytes = bytes;
      span.at = at + headBytes;
      span.end = span.at + view.getUint32(at + hashBytes);
      return span;
    }
    return null;
  };
  const get = (hash: Uint8Array): Uint8Array | null => {
    const found = find(hash, 0);
    return found === null ? null : found.bytes.subarray(found.at, found.end);
  };
  const forget = (slot: number): void => {
    const { bytes, view, used } = chunks[slot] as Chunk;
    for (let at = 0; at < used; at += headBytes + view.getUint32(at + hashBytes))
      replace(bucketOf(bytes, at), slot * chunkBytes + at + 1, 0);
  };
  /** Walks in progress keep the bytes of a chunk that is dropped, so it is replaced rather than filled again. */
  const turn = (): void => {
    const slot = nextSlot(chunks.length, current, previous);
    if (slot < chunks.length) forget(slot);
    chunks[slot] = createChunk();
    previous = current === -1 ? slot : current;
    current = slot;
    onBytes(size());
  };
  return {
    find,
    get,
    put: (hash, encoded) => {
      const needed = headBytes + encoded.length;
      if (needed > chunkBytes / 4) return encoded;
      const known = get(hash);
      if (known !== null) return known;
      if (current === -1 || (chunks[current] as Chunk).used + needed > chunkBytes) turn();
      const chunk = chunks[current] as Chunk;
      const at = chunk.used;
      chunk.bytes.set(hash, at);
      chunk.view.setUint32(at + hashBytes, encoded.length);
      chunk.bytes.set(encoded, at + headBytes);
      chunk.used = at + needed;
      const bucket = bucketOf(hash, 0);
      const place = current * chunkBytes + at + 1;
      if (!replace(bucket, 0, place)) force(bucket, place);
      return chunk.bytes.subarray(at + headBytes, chunk.used);
    },
    bytes: size,
  };
};
