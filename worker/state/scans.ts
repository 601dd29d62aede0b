import { bytesToKey, compareBytes, startsWithBytes } from '../bytes/bytes.ts';
import { MissingNodes, missingNode } from '../trie/missing-nodes.ts';
import type { NodeCache } from '../trie/node-cache.ts';
import { baseReference, decodeNode, hashedValue } from '../trie/node-codec.ts';
import type { Hash256, NodeSource } from '../trie/node-source.ts';
import { createPackedNodes, type PackedNodes } from '../trie/packed-nodes.ts';
import { type Span, scanKeys, wayThrough } from '../trie/scan-keys.ts';
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
/** Hashes of large values that are remembered: 1 MB. */
const mostLarge = 8192;
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

/** A scan in progress, in the trie under `root`. */
type Progress = {
  readonly root: Uint8Array;
  readonly within: number;
  after: Uint8Array;
  /** Keys to visit. */
  left: number;
};

/** The hashes of up to `most` nodes that are not in memory, in the order in which the scan needs them. */
const listAhead = (
  find: (hash: Uint8Array) => Uint8Array | null,
  position: Progress,
  most: number,
  readsValues: boolean,
  isLarge: (hash: Uint8Array) => boolean,
): Uint8Array[] => {
  const wanted: Uint8Array[] = [];
  let looks = most * looksPerNode;
  const look = (hash: Uint8Array): Uint8Array | null => {
    if (wanted.length === most || looks-- === 0) return null;
    const bytes = find(hash);
    if (bytes === null && !isLarge(hash)) wanted.push(hash.slice());
    return bytes;
  };
  const list = (hash: Uint8Array, at: number | null): void => {
    const bytes = look(hash);
    if (bytes === null) return;
    const node = decodeNode(bytes);
    if (readsValues && at === null && node.valueKind === hashedValue) look(node.valueHash as Uint8Array);
    const { partial, partialStart, partialCount } = node;
    const way = at === null ? null : wayThrough(partial, partialStart, partialCount, position, at);
    if (at !== null && way === null) return;
    const { first, last } = way ?? { first: 0, last: 15 };
    for (let slot = first; slot <= last && wanted.length < most && looks > 0; slot++) {
      if (((node.bitmap >> slot) & 1) === 0) continue;
      const reference = baseReference(node, slot);
      const isOnPath = way?.own === 'before' && slot === first;
      if (reference.length === 32) list(reference, isOnPath ? (at as number) + partialCount + 1 : null);
    }
  };
  list(position.root, 0);
  return wanted;
};

/** What is too large to be kept packed, and so is not read ahead again. */
const createLarge = () => {
  const known = new Set<string>();
  return {
    has: (hash: Uint8Array): boolean => known.has(bytesToKey(hash)),
    add: (hash: Uint8Array): void => {
      if (known.size >= mostLarge) known.clear();
      known.add(bytesToKey(hash));
    },
  };
};
type Large = ReturnType<typeof createLarge>;

const createSource = (deps: ScanDeps, packed: PackedNodes, large: Large, ahead: () => Uint8Array[]) => {
  const keep = (hash: Uint8Array, bytes: Uint8Array): Uint8Array => {
    const kept = packed.put(hash, bytes);
    if (kept === bytes) large.add(hash);
    return kept;
  };
  const find = (hash: Uint8Array): Uint8Array | null => {
    const known = packed.get(hash);
    if (known !== null) return known;
    const bytes = deps.peek(hash);
    return bytes === null ? null : keep(hash, bytes);
  };
  /** What is read ahead may be damaged without harm. The node itself is then read again, and its damage reported. */
  const readAhead = (hash: Uint8Array): void => {
    for (const bytes of deps.getSome?.([hash, ...ahead()]) ?? []) keep(deps.blake2b256(bytes), bytes);
  };
  const getNode = (hash: Uint8Array): Uint8Array | null => {
    const known = find(hash);
    if (known !== null) return known;
    if (!large.has(hash)) readAhead(hash);
    const read = packed.get(hash);
    if (read !== null) return read;
    const bytes = deps.getNode(hash);
    return bytes === null ? null : keep(hash, bytes);
  };
  return { find, getNode };
};

/** The later key of the two, or the prefix if the walk starts before it. */
const startOf = ({ prefix, start }: Pick<KeyRange, 'prefix' | 'start'>): Uint8Array =>
  start !== null && compareBytes(start, prefix) > 0 ? start : prefix;

/** Visits the keys of a range without decoding nodes. */
const scan = (
  trie: Trie,
  { prefix, start, inclusive }: KeyRange,
  { find, getNode }: { readonly find: PackedNodes['find']; readonly getNode: NodeSource['getNode'] },
  visit: VisitKey,
): void => {
  const after = startOf({ prefix, start });
  if (trie.isEmpty() || !startsWithBytes(after, prefix)) return;
  const findOrRead = (bytes: Uint8Array, at: number): Span => {
    const known = find(bytes, at);
    if (known !== null) return known;
    const hash = bytes.slice(at, at + 32);
    const read = getNode(hash);
    if (read === null) throw new MissingNodes([missingNode(hash)]);
    return { bytes: read, at: 0, end: read.length };
  };
  const isBefore = start === null || compareBytes(start, prefix) < 0;
  const from = { after, within: prefix.length * 2 };
  scanKeys(trie.root(), { find: findOrRead, from, inclusive: inclusive || isBefore, visit });
};

export const createScans = (deps: ScanDeps): Scans => {
  const packed = createPackedNodes(deps.limitBytes, deps.onBytes);
  const large = createLarge();
  /** What was to be loaded last. It is in memory only as long as the read that asked for it is repeated. */
  let asked: Uint8Array[] = [];
  const view = (backend: Backend, { count, readsValues }: ScanRange): Backend => {
    let position: Progress | null = null;
    const ahead = (): Uint8Array[] => {
      if (position === null) return [];
      const most = Math.min(mostAhead, Math.max(leastAhead, position.left));
      return listAhead(source.find, position, most, readsValues, large.has);
    };
    const source = createSource(deps, packed, large, ahead);
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
        const each: VisitKey = (key, inlineLength) => {
          here.after = key;
          here.left--;
          return visit(key, inlineLength);
        };
        if (range.isBorrowed !== true || range.unlike != null) walk(each);
        else scan(trie, range, { find: packed.find, getNode: source.getNode }, each);
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
