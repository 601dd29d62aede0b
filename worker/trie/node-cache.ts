import { bytesToKey } from '../bytes/bytes.ts';
import { type CachePlace, decodeNode, evicted, type TrieNode, unused, used } from './node-codec.ts';

/** What a decoded node takes beside its encoding: the object, its links, the views and the map entry (measured, V8). */
const nodeOverhead = 560;
/** What a node takes that lies within its parent's encoding. */
export const inlineNodeBytes = 300;

/**
 * Decoded nodes by hash, shared by all tries over one source and bounded by their size in memory. A parent links to the
 * children it was walked to, which saves the look-up; the link is cut when the child is evicted. An evicted node stays
 * valid for whoever walks it at that moment.
 */
export type NodeCache = {
  /** The decoded node of a hash; `read` gives the bytes when it is not here. */
  node(hash: Uint8Array, read: (hash: Uint8Array) => Uint8Array): TrieNode;
  /** The bytes of a node that is here. */
  encoded(key: string): Uint8Array | null;
  /** Links a child to the parent it was reached by. */
  link(parent: TrieNode, slot: number, child: TrieNode): void;
  /** A node keeps so many bytes more: a value of its own, a child within its encoding. */
  grow(node: TrieNode, bytes: number): void;
  /** What the nodes take in memory, by estimate. */
  bytes(): number;
};

/** Takes a node out of its parent and its children out of it. */
const unlink = (node: TrieNode, place: CachePlace): void => {
  const { holder, slot } = place;
  if (holder !== null && holder.children?.[slot] === node) holder.children[slot] = null;
  place.holder = null;
  const { children } = node;
  if (children === null) return;
  for (const child of children) if (child !== null && child.place?.holder === node) child.place.holder = null;
  node.children = null;
};

/** Children that another parent was found through later were evicted without a word to this one. */
const dropEvicted = ({ children }: TrieNode): void => {
  if (children === null) return;
  for (let slot = 0; slot < 16; slot++) if (children[slot]?.heat === evicted) children[slot] = null;
};

/** A cache of up to `limit` bytes. Which node goes is decided by a clock: one used since the hand last came by stays. */
export const createNodeCache = (limit: number): NodeCache => {
  const nodes = new Map<string, TrieNode>();
  let hand = nodes.values();
  let total = 0;
  const evict = (node: TrieNode): void => {
    const place = node.place as CachePlace;
    nodes.delete(place.key);
    total -= place.cost;
    node.heat = evicted;
    unlink(node, place);
  };
  const makeRoom = (bytes: number): void => {
    while (total + bytes > limit && nodes.size > 0) {
      const { value: node, done } = hand.next();
      if (done === true) hand = nodes.values();
      else if (node.heat === used) {
        node.heat = unused;
        dropEvicted(node);
      } else evict(node);
    }
  };
  /** Null for a node outside of the cache. */
  const placeOf = ({ heat, place }: TrieNode): CachePlace | null => (heat === evicted ? null : place);
  return {
    node: (hash, read) => {
      const key = bytesToKey(hash);
      const known = nodes.get(key);
      if (known !== undefined) {
        known.heat = used;
        return known;
      }
      const node = decodeNode(read(hash));
      const cost = (node.encoded as Uint8Array).length + nodeOverhead;
      node.place = { key, cost, holder: null, slot: 0 };
      makeRoom(cost);
      nodes.set(key, node);
      total += cost;
      return node;
    },
    encoded: (key) => nodes.get(key)?.encoded ?? null,
    link: (parent, slot, child) => {
      // A parent that no cache holds goes with the state it was made for.
      const place = placeOf(child);
      if (place === null || placeOf(parent) === null) return;
      place.holder = parent;
      place.slot = slot;
    },
    grow: (node, bytes) => {
      const place = placeOf(node);
      if (place === null) return;
      place.cost += bytes;
      total += bytes;
      makeRoom(0);
    },
    bytes: () => total,
  };
};
