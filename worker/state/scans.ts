import { compareBytes } from '../bytes/bytes.ts';
import { MissingNodes, missingNode } from '../trie/missing-nodes.ts';
import { commonNibbles, nibbleAt } from '../trie/nibbles.ts';
import type { NodeCache } from '../trie/node-cache.ts';
import { baseReference, decodeNode, hashedValue, type TrieNode } from '../trie/node-codec.ts';
import type { Hash256 } from '../trie/node-source.ts';
import { createPackedNodes } from '../trie/packed-nodes.ts';
import type { Trie, VisitKey } from '../trie/trie.ts';
import { type Backend, createBackend, type KeyRange } from './backend.ts';

export type ScanDeps = {
  readonly blake2b256: Hash256;
  /** A node that is in memory. */
  peek(hash: Uint8Array): Uint8Array | null;
  /** Reads and verifies a node. Null: it must be loaded. Throws `StorageBroken`. */
  getNode(hash: Uint8Array): Uint8Array | null;
  /** The records of these hashes, as far as there are some, in any order and not verified. */
  readonly getSome?: ((hashes: readonly Uint8Array[]) => readonly Uint8Array[]) | undefined;
  readonly limitBytes: number;
  /** The memory in use has become this. */
  onBytes(bytes: number): void;
};

export type ScanRange = {
  /** How many keys at most. */
  readonly count: number;
  /** Whether the values of the keys are read as well. */
  readonly readsValues: boolean;
};

/**
 * Views of states for reading them in order, by key ranges. Nodes are kept packed, apart from the cache, so that a scan
 * does not evict what blocks need, and are read ahead: those that follow in the order of keys, many at a time.
 */
export type Scans = {
  /** Valid for one turn and one walk, because it keeps what it has decoded. */
  view(backend: Backend, range: ScanRange): Backend;
  /** A node that a scan has read, in a buffer of its own. */
  get(hash: Uint8Array): Uint8Array | null;
};

/** Nodes in one read. */
const mostAhead = 256;
const leastAhead = 16;
/** Nodes that are looked at for one to read. */
const looksPerNode = 4;

/** Decodes each node again: what is kept is its encoding. */
const noCache: NodeCache = {
  node: (hash, read) => decodeNode(read(hash)),
  adopt: (node) => node,
  encoded: () => null,
  grow: () => undefined,
  reserve: () => undefined,
  bytes: () => 0,
};

/** Where a scan is: in the trie under `root`, after a key, which begins with the prefix of its range. */
type Position = {
  readonly root: Uint8Array;
  /** The length of the prefix, in nibbles. */
  readonly within: number;
  after: Uint8Array;
  /** Keys to visit. */
  left: number;
};

/**
 * The slots of a node through which a scan goes on, if its position is below the node, whose partial key begins at nibble
 * `at`. `next` is where the position's own child begins, null if it is not below one. Null: the scan is past the node.
 */
const slotsAhead = (
  node: TrieNode,
  { after, within }: Position,
  at: number,
): { readonly from: number; readonly to: number; readonly next: number | null } | null => {
  const { partial, partialStart, partialCount } = node;
  const common = commonNibbles(partial, partialStart, partialCount, after, at);
  const end = at + common;
  if (end === after.length * 2) return { from: 0, to: 15, next: null };
  if (common < partialCount) {
    const isPast = end < within || nibbleAt(partial, partialStart + common) < nibbleAt(after, end);
    return isPast ? null : { from: 0, to: 15, next: null };
  }
  const from = nibbleAt(after, end);
  return { from, to: end < within ? from : 15, next: end + 1 };
};

/** The hashes of up to `most` nodes that are not in memory, in the order in which the scan needs them. */
const listAhead = (
  find: (hash: Uint8Array) => Uint8Array | null,
  position: Position,
  most: number,
  readsValues: boolean,
): Uint8Array[] => {
  const wanted: Uint8Array[] = [];
  let looks = most * looksPerNode;
  const look = (hash: Uint8Array): Uint8Array | null => {
    if (wanted.length === most || looks-- === 0) return null;
    const bytes = find(hash);
    if (bytes === null) wanted.push(hash.slice());
    return bytes;
  };
  const list = (hash: Uint8Array, at: number | null): void => {
    const bytes = look(hash);
    if (bytes === null) return;
    const node = decodeNode(bytes);
    if (readsValues && at === null && node.valueKind === hashedValue) look(node.valueHash as Uint8Array);
    const slots = at === null ? { from: 0, to: 15, next: null } : slotsAhead(node, position, at);
    if (slots === null) return;
    for (let slot = slots.from; slot <= slots.to && wanted.length < most && looks > 0; slot++) {
      if (((node.bitmap >> slot) & 1) === 0) continue;
      const reference = baseReference(node, slot);
      if (reference.length === 32) list(reference, slot === slots.from ? slots.next : null);
    }
  };
  list(position.root, 0);
  return wanted;
};

const createSource = (
  deps: ScanDeps,
  packed: ReturnType<typeof createPackedNodes>,
  ahead: () => Uint8Array[],
) => {
  const find = (hash: Uint8Array): Uint8Array | null => {
    const known = packed.get(hash);
    if (known !== null) return known;
    const bytes = deps.peek(hash);
    return bytes === null ? null : packed.put(hash, bytes);
  };
  /** What is read ahead may be damaged without harm. The node itself is then read again, and its damage reported. */
  const readAhead = (hash: Uint8Array): void => {
    for (const bytes of deps.getSome?.([hash, ...ahead()]) ?? []) packed.put(deps.blake2b256(bytes), bytes);
  };
  const getNode = (hash: Uint8Array): Uint8Array | null => {
    const known = find(hash);
    if (known !== null) return known;
    readAhead(hash);
    const read = packed.get(hash);
    if (read !== null) return read;
    const bytes = deps.getNode(hash);
    return bytes === null ? null : packed.put(hash, bytes);
  };
  return { find, getNode };
};

/** The later key of the two, or the prefix if the walk starts before it. */
const startOf = ({ prefix, start }: KeyRange): Uint8Array =>
  start !== null && compareBytes(start, prefix) > 0 ? start : prefix;

export const createScans = (deps: ScanDeps): Scans => {
  const packed = createPackedNodes(deps.limitBytes, deps.onBytes);
  /** What was to be loaded last. It is in memory only as long as the read that asked for it is repeated. */
  let asked: Uint8Array[] = [];
  const view = (backend: Backend, { count, readsValues }: ScanRange): Backend => {
    let position: Position | null = null;
    const ahead = (): Uint8Array[] => {
      if (position === null) return [];
      const most = Math.min(mostAhead, Math.max(leastAhead, position.left));
      return listAhead(source.find, position, most, readsValues);
    };
    const source = createSource(deps, packed, ahead);
    for (const hash of asked.splice(0)) source.find(hash);
    const { blake2b256 } = deps;
    const state = createBackend(
      { blake2b256, source: { getNode: source.getNode, cache: noCache } },
      backend.root,
    );
    /** Follows a walk, and adds to what it misses. */
    const follow = (
      trie: Trie | null,
      range: KeyRange,
      visit: VisitKey,
      walk: (visit: VisitKey) => void,
    ): void => {
      if (trie === null) return;
      const here = { root: trie.root(), within: range.prefix.length * 2, after: startOf(range), left: count };
      position = here;
      try {
        walk((key, inlineLength) => {
          here.after = key;
          here.left--;
          return visit(key, inlineLength);
        });
      } catch (error) {
        if (!(error instanceof MissingNodes)) throw error;
        asked = ahead();
        const all = new MissingNodes([...error.nodes, ...asked.map((hash) => missingNode(hash))]);
        all.again = error.again;
        throw all;
      }
    };
    return {
      ...state,
      visitKeys: (range, visit) =>
        follow(state.trieOf(null), range, visit, (each) => state.visitKeys(range, each)),
      childVisitKeys: (name, range, visit) =>
        follow(state.trieOf(name), range, visit, (each) => state.childVisitKeys(name, range, each)),
    };
  };
  return { view, get: (hash) => packed.get(hash)?.slice() ?? null };
};
