import { bytesToKey } from '../bytes/bytes.ts';
import { type CacheSlot, decodeNode, evicted, type TrieNode, unused, used } from './node-codec.ts';

/** Memory of a decoded node beyond its encoding: object, links, views and map entry (measured, V8). */
const nodeOverhead = 560;
/** Memory of a node embedded in its parent's encoding. */
export const inlineNodeBytes = 300;

/**
 * Decoded nodes by hash, shared by all tries over one source and bounded by their size in memory. A parent
 * links to the children reached through it, which saves the lookup; eviction cuts the link. An evicted node
 * stays valid for walks in progress.
 */
export type NodeCache = {
  /**
   * The decoded node of a hash. `read` loads the bytes if it is not cached. The node is linked to the parent
   * it was reached from, which is null for a root.
   */
  node(
    hash: Uint8Array,
    read: (hash: Uint8Array) => Uint8Array,
    parent: TrieNode | null,
    slot: number,
  ): TrieNode;
  /**
   * Takes over an encoded node that was created here and is stored now, with all created ones below it, as if
   * they had been loaded. Returns the cached node of the hash.
   */
  adopt(node: TrieNode, hash: Uint8Array): TrieNode;
  /** The bytes of a cached node. */
  encoded(key: string): Uint8Array | null;
  /** Adds to a node's size: its own value, or a child within its encoding. */
  grow(node: TrieNode, bytes: number): void;
  /** Takes this much of its limit, for what is kept elsewhere. */
  reserve(bytes: number): void;
  /** Estimated memory of the nodes. */
  bytes(): number;
};

/** Unlinks a node from its parent and its children from it. */
const unlink = (node: TrieNode, place: CacheSlot): void => {
  const { holder, slot } = place;
  if (holder !== null && holder.children?.[slot] === node) holder.children[slot] = null;
  place.holder = null;
  const { children } = node;
  if (children === null) return;
  for (const child of children)
    if (child !== null && child.cacheSlot?.holder === node) child.cacheSlot.holder = null;
  node.children = null;
};

/** Children later reached through another parent were evicted without notice to this one. */
const dropEvicted = ({ children }: TrieNode): void => {
  if (children === null) return;
  for (let slot = 0; slot < 16; slot++) if (children[slot]?.clockBit === evicted) children[slot] = null;
};

/** Null for a node outside the cache. */
const placeOf = ({ clockBit, cacheSlot }: TrieNode): CacheSlot | null =>
  clockBit === evicted ? null : cacheSlot;

const hold = (parent: TrieNode, slot: number, child: TrieNode): void => {
  const place = placeOf(child);
  if (place === null) return;
  place.holder = parent;
  place.slot = slot;
};

type CacheIndex = {
  find(key: string): TrieNode | undefined;
  insert(key: string, node: TrieNode, cost: number): void;
};

/** Marks a created node as loaded and adopts those below it. Returns the memory of what it holds. */
const settle = (index: CacheIndex, node: TrieNode): number => {
  node.createdBy = 0;
  node.valueCreatedBy = 0;
  let bytes = (node.encoded as Uint8Array).length + node.partial.length + (node.value?.length ?? 0);
  const { children } = node;
  if (children === null) return bytes;
  for (let slot = 0; slot < 16; slot++) {
    const child = children[slot];
    if (child === null || child === undefined || child.createdBy === 0) continue;
    if (child.hash === null) bytes += inlineNodeBytes + settle(index, child);
    else children[slot] = adopt(index, child, child.hash);
  }
  return bytes;
};

/**
 * Adopts children first: making room for one may evict another, but never the parent before it is complete.
 */
const adopt = (index: CacheIndex, node: TrieNode, hash: Uint8Array): TrieNode => {
  const key = bytesToKey(hash);
  const known = index.find(key);
  if (known !== undefined) return known;
  index.insert(key, node, settle(index, node) + nodeOverhead);
  const { children } = node;
  if (children === null) return node;
  for (let slot = 0; slot < 16; slot++) {
    const child = children[slot];
    if (child !== null && child !== undefined) hold(node, slot, child);
  }
  return node;
};

/** A cache of up to `limit` bytes with clock eviction: a node used since the hand last passed stays. */
export const createNodeCache = (limit: number): NodeCache => {
  const nodes = new Map<string, TrieNode>();
  let hand = nodes.values();
  let total = 0;
  let reserved = 0;
  const evict = (node: TrieNode): void => {
    const place = node.cacheSlot as CacheSlot;
    nodes.delete(place.key);
    total -= place.cost;
    node.clockBit = evicted;
    unlink(node, place);
  };
  const makeRoom = (bytes: number): void => {
    while (total + bytes + reserved > limit && nodes.size > 0) {
      const { value: node, done } = hand.next();
      if (done === true) hand = nodes.values();
      else if (node.clockBit === used) {
        node.clockBit = unused;
        dropEvicted(node);
      } else evict(node);
    }
  };
  const insert = (key: string, node: TrieNode, cost: number): void => {
    makeRoom(cost);
    nodes.set(key, node);
    total += cost;
    node.cacheSlot = { key, cost, holder: null, slot: 0 };
  };
  const index: CacheIndex = { find: (key) => nodes.get(key), insert };
  return {
    node: (hash, read, parent, slot) => {
      const key = bytesToKey(hash);
      let node = nodes.get(key);
      if (node === undefined) {
        node = decodeNode(read(hash));
        insert(key, node, (node.encoded as Uint8Array).length + nodeOverhead);
      } else node.clockBit = used;
      // A parent outside the cache is garbage-collected with the state it was created for.
      if (parent !== null && placeOf(parent) !== null) hold(parent, slot, node);
      return node;
    },
    adopt: (node, hash) => adopt(index, node, hash),
    encoded: (key) => nodes.get(key)?.encoded ?? null,
    grow: (node, bytes) => {
      const place = placeOf(node);
      if (place === null) return;
      place.cost += bytes;
      total += bytes;
      makeRoom(0);
    },
    reserve: (bytes) => {
      reserved = bytes;
      makeRoom(0);
    },
    bytes: () => total,
  };
};
