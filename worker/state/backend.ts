import { bytesToKey, compareBytes, concatBytes, startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import {
  type Change,
  createTrie,
  emptyRoot,
  type NodeBatch,
  type StateVersion,
  type Trie,
  type TrieDeps,
  type VisitKey,
} from '../trie/trie.ts';
import type { StorageChanges } from './changes.ts';
import { inChild, inMain, located, nodeInChild, nodeInMain, retried, retriedWalk } from './retried.ts';

/** Prefix of the default child tries' roots in the main trie (sp-storage, `DEFAULT_CHILD_STORAGE_KEY_PREFIX`). */
export const childPrefix: Uint8Array = /* @__PURE__ */ textToBytes(':child_storage:default:');

/** The main-trie key of a child's root. */
export const childKey = (name: Uint8Array): Uint8Array => concatBytes(childPrefix, name);

export type KeyRange = {
  readonly prefix: Uint8Array;
  /** Null: from the first key under the prefix. */
  readonly start: Uint8Array | null;
  /** Whether `start` itself is included. */
  readonly inclusive: boolean;
  /** The same trie of another state (`trieOf`). Only keys in subtrees that differ are visited. */
  readonly unlike?: Trie | null;
  /** The visitor keeps no key, so that one buffer may be used for all of them. */
  readonly isBorrowed?: boolean;
};

/**
 * The committed state of one block: the main trie and its child tries. Child names omit
 * `:child_storage:default:`. Immutable; returned bytes are shared and must not be modified. Every read may
 * throw `MissingNodes`; for a single key it carries `again`. The miss says in which trie and on which key's path its
 * nodes lie.
 */
export type Backend = {
  readonly root: Uint8Array;
  /** Its reads may be wrong (trial.ts). */
  readonly isTrial?: true;
  get(key: Uint8Array): Uint8Array | null;
  exists(key: Uint8Array): boolean;
  valueSize(key: Uint8Array): number | null;
  /** blake2b-256 of the value. */
  valueHash(key: Uint8Array): Uint8Array | null;
  nextKey(key: Uint8Array): Uint8Array | null;
  /** Visits keys in order until the visitor returns false. */
  visitKeys(range: KeyRange, visit: VisitKey): void;
  /** Up to `count` keys under a prefix, after `startKey` (`state_getKeysPaged`). */
  keysPaged(prefix: Uint8Array, count: number, startKey: Uint8Array | null): Uint8Array[];
  closestMerkleValue(prefix: Uint8Array): Uint8Array | null;
  /** The main trie, or a child's; null if there is no such child. */
  trieOf(child: Uint8Array | null): Trie | null;
  childGet(name: Uint8Array, key: Uint8Array): Uint8Array | null;
  childExists(name: Uint8Array, key: Uint8Array): boolean;
  childValueSize(name: Uint8Array, key: Uint8Array): number | null;
  childValueHash(name: Uint8Array, key: Uint8Array): Uint8Array | null;
  childNextKey(name: Uint8Array, key: Uint8Array): Uint8Array | null;
  childVisitKeys(name: Uint8Array, range: KeyRange, visit: VisitKey): void;
  childClosestMerkleValue(name: Uint8Array, prefix: Uint8Array): Uint8Array | null;
  /** The root of a trie without keys. */
  readonly emptyRoot: Uint8Array;
  /** The root a child would have after changes, without committing them. Null: it would be empty. */
  childRootAfter(name: Uint8Array, changes: readonly Change[], version: StateVersion): Uint8Array | null;
  /**
   * The state after the changes, and what must be stored for it. Roots of changed children are written to the
   * main trie.
   */
  commit(changes: StorageChanges, version: StateVersion, ahead?: MainAhead | null): Committed;
  /** Moves its new nodes into the cache of their source. Call once they are stored. */
  cacheNew(): void;
  /** `state_getReadProof`: the sorted list of nodes and hashed values that reading the keys touches. */
  prove(keys: readonly Uint8Array[]): Uint8Array[];
  proveChild(name: Uint8Array, keys: readonly Uint8Array[]): Uint8Array[];
  /** What it reads through, for another view of the same state (recorded-backend.ts). */
  readonly parts: BackendParts;
};

/**
 * The main trie with some changes already applied. The values are the same array objects, under the same
 * keys.
 */
export type MainAhead = { readonly main: Trie; readonly values: Map<Uint8Array, Uint8Array | null> };

export type Committed = {
  readonly backend: Backend;
  /** What this state has and its parent lacks, once per place. */
  readonly nodes: NodeBatch;
  /** The hashes of what the parent state has and this one lacks, once per place. */
  readonly removed: readonly Uint8Array[];
};

type ChildTries = ReadonlyMap<string, Trie>;

/** The tries of a state. */
export type StateTries = {
  readonly main: Trie;
  /** Children with nodes that may not be stored yet. */
  readonly own: ChildTries;
  /** A child trie; null if there is none. */
  readonly open: (name: Uint8Array) => Trie | null;
  /** A child without keys. */
  readonly empty: () => Trie;
};

export type BackendParts = { readonly deps: TrieDeps; readonly tries: StateTries };

/** Maximum number of child tries that stay open although they were only read: the most recent ones. */
const openChildren = 256;

const sortedUnion = (a: readonly Uint8Array[], b: readonly Uint8Array[]): Uint8Array[] => {
  const all = new Map<string, Uint8Array>();
  for (const node of [...a, ...b]) all.set(bytesToKey(node), node);
  return [...all.values()].sort(compareBytes);
};

/**
 * Opens a child trie of a state. Null: no such child. `own` are children with nodes that may not be stored
 * yet.
 */
const childOpener = (deps: TrieDeps, main: Trie, own: ChildTries): ((name: Uint8Array) => Trie | null) => {
  const opened = new Map<string, Trie>();
  return (name) => {
    const id = bytesToKey(name);
    const known = own.get(id) ?? opened.get(id);
    if (known !== undefined) return known;
    const root = located(() => main.get(childKey(name)), childKey(name), null);
    if (root === null || root.length !== 32) return null;
    const trie = createTrie(deps, root.slice());
    if (opened.size >= openChildren) opened.clear();
    opened.set(id, trie);
    return trie;
  };
};

const commitChanges = (
  deps: TrieDeps,
  { main, own, open, empty }: StateTries,
  changes: StorageChanges,
  version: StateVersion,
  ahead: MainAhead | null,
): Committed => {
  const tries = new Map(own);
  const nodes: (readonly [Uint8Array, Uint8Array])[] = [];
  const removed: Uint8Array[] = [];
  const roots: Change[] = [];
  // The main trie's key of a child root was changed other than by the child's own changes, so the child's
  // open trie is invalid.
  if (tries.size > 0)
    for (const [key] of changes.main) {
      if (startsWithBytes(key, childPrefix)) tries.delete(bytesToKey(key.subarray(childPrefix.length)));
    }
  for (const [name, list] of changes.children) {
    const before = open(name) ?? empty();
    const after = located(() => before.apply(list, version), null, name);
    const id = bytesToKey(name);
    for (const hash of after.collectRemoved()) removed.push(hash);
    if (after.isEmpty()) {
      tries.delete(id);
      roots.push([childKey(name), null]);
    } else {
      for (const node of after.collectNew()) nodes.push(node);
      roots.push([childKey(name), after.root()]);
      tries.set(id, after.settled());
    }
  }
  const left =
    ahead === null ? changes.main : changes.main.filter(([key, value]) => ahead.values.get(key) !== value);
  const next = (ahead?.main ?? main).apply(roots.length === 0 ? left : [...left, ...roots], version);
  for (const node of next.collectNew()) nodes.push(node);
  for (const hash of next.collectRemoved()) removed.push(hash);
  return { backend: createBackendOver(backendParts(deps, next.settled(), tries)), nodes, removed };
};

const backendParts = (deps: TrieDeps, main: Trie, own: ChildTries): BackendParts => ({
  deps,
  tries: {
    main,
    own,
    open: childOpener(deps, main, own),
    empty: () => createTrie(deps, emptyRoot(deps.blake2b256)),
  },
});

export const createBackendOver = ({ deps, tries }: BackendParts): Backend => {
  const { main, own, open, empty } = tries;
  const nextKey = retried(main.nextKey, inMain);
  const ofChild = <T>(read: (trie: Trie, key: Uint8Array) => T, place: typeof inChild) =>
    retried((name: Uint8Array, key: Uint8Array): T | null => {
      const trie = open(name);
      return trie === null ? null : read(trie, key);
    }, place);
  const childNextKey = ofChild((trie, key) => trie.nextKey(key), inChild);
  const hasInChild = ofChild((trie, key) => trie.has(key), nodeInChild);
  return {
    root: main.root(),
    get: retried(main.get, inMain),
    exists: retried(main.has, nodeInMain),
    valueSize: retried((key: Uint8Array) => main.get(key)?.length ?? null, inMain),
    valueHash: retried(main.valueHash, nodeInMain),
    nextKey,
    visitKeys: retriedWalk(main.visitKeys, nextKey),
    keysPaged: (prefix, count, start) => {
      const keys: Uint8Array[] = [];
      if (count > 0) main.visitKeys({ prefix, start, inclusive: false }, (key) => keys.push(key) < count);
      return keys;
    },
    closestMerkleValue: main.closestMerkleValue,
    trieOf: (child) => (child === null ? main : open(child)),
    childGet: ofChild((trie, key) => trie.get(key), inChild),
    childExists: (name, key) => hasInChild(name, key) ?? false,
    childValueSize: ofChild((trie, key) => trie.get(key)?.length ?? null, inChild),
    childValueHash: ofChild((trie, key) => trie.valueHash(key), nodeInChild),
    childNextKey,
    childVisitKeys: (name, range, visit) =>
      retriedWalk(
        (own: KeyRange, each) => located(() => open(name)?.visitKeys(own, each), null, name),
        (key) => childNextKey(name, key),
      )(range, visit),
    childClosestMerkleValue: (name, prefix) => open(name)?.closestMerkleValue(prefix) ?? null,
    emptyRoot: emptyRoot(deps.blake2b256),
    childRootAfter: retried(
      (name: Uint8Array, changes: readonly Change[], version: StateVersion) => {
        const after = (open(name) ?? empty()).apply(changes, version);
        return after.isEmpty() ? null : after.root();
      },
      (name) => [name, null],
    ),
    commit: retried(
      (changes: StorageChanges, version: StateVersion, ahead: MainAhead | null = null) =>
        commitChanges(deps, tries, changes, version, ahead),
      () => [null, null],
    ),
    cacheNew: () => {
      main.cacheNew();
      for (const child of own.values()) child.cacheNew();
    },
    prove: retried(main.prove, () => [null, null]),
    proveChild: retried(
      (name: Uint8Array, keys: readonly Uint8Array[]) =>
        keys.length === 0
          ? []
          : sortedUnion(
              located(() => main.prove([childKey(name)]), childKey(name), null),
              open(name)?.prove(keys) ?? [],
            ),
      (name) => [name, null],
    ),
    parts: { deps, tries },
  };
};

/** The state under a root. Nothing is read yet. */
export const createBackend = (deps: TrieDeps, root: Uint8Array): Backend =>
  createBackendOver(backendParts(deps, createTrie(deps, root), new Map()));

/** A state without keys, to build a genesis on. */
export const createEmptyBackend = (deps: TrieDeps): Backend =>
  createBackend(deps, emptyRoot(deps.blake2b256));
