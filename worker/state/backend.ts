import {
  bytesToKey,
  compareBytes,
  concatBytes,
  noBytes,
  startsWithBytes,
  textToBytes,
} from '../bytes/bytes.ts';
import { MissingNodes } from '../trie/missing-nodes.ts';
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

/** Where the roots of the default child tries lie in the main trie (HOST §2.7). */
export const childPrefix: Uint8Array = /* @__PURE__ */ textToBytes(':child_storage:default:');

/** The main-trie key of a child's root. */
export const childKey = (name: Uint8Array): Uint8Array => concatBytes(childPrefix, name);

export type KeyRange = {
  readonly prefix: Uint8Array;
  /** Null: from the first key under the prefix. */
  readonly start: Uint8Array | null;
  /** Whether `start` itself counts. */
  readonly inclusive: boolean;
  /** The same trie of another state (`trieOf`): only what lies in subtrees that differ is visited. */
  readonly unlike?: Trie | null;
};

/**
 * The committed state of one block: the main trie and its child tries. Child names come without `:child_storage:default:`.
 * Immutable; bytes handed out are shared: read, never write. Every read may throw `MissingNodes`; that of a single key then
 * comes with `again`.
 */
export type Backend = {
  readonly root: Uint8Array;
  /** What it reads may be wrong (trial.ts). */
  readonly isTrial?: true;
  get(key: Uint8Array): Uint8Array | null;
  exists(key: Uint8Array): boolean;
  valueSize(key: Uint8Array): number | null;
  /** blake2b-256 of the value. */
  valueHash(key: Uint8Array): Uint8Array | null;
  nextKey(key: Uint8Array): Uint8Array | null;
  /** Visits keys in order until the visitor answers false. */
  visitKeys(range: KeyRange, visit: VisitKey): void;
  /** Up to `count` keys under a prefix, those after `startKey` (`state_getKeysPaged`). */
  keysPaged(prefix: Uint8Array, count: number, startKey: Uint8Array | null): Uint8Array[];
  closestMerkleValue(prefix: Uint8Array): Uint8Array | null;
  /** The main trie, or a child's; null = no such child. */
  trieOf(child: Uint8Array | null): Trie | null;
  /** The root kept in the main trie; null = no such child. */
  childRoot(name: Uint8Array): Uint8Array | null;
  childGet(name: Uint8Array, key: Uint8Array): Uint8Array | null;
  childExists(name: Uint8Array, key: Uint8Array): boolean;
  childValueSize(name: Uint8Array, key: Uint8Array): number | null;
  childValueHash(name: Uint8Array, key: Uint8Array): Uint8Array | null;
  childNextKey(name: Uint8Array, key: Uint8Array): Uint8Array | null;
  childVisitKeys(name: Uint8Array, range: KeyRange, visit: VisitKey): void;
  childKeysPaged(
    name: Uint8Array,
    prefix: Uint8Array,
    count: number,
    startKey: Uint8Array | null,
  ): Uint8Array[];
  childClosestMerkleValue(name: Uint8Array, prefix: Uint8Array): Uint8Array | null;
  /** The root of a trie without keys. */
  readonly emptyRoot: Uint8Array;
  /** The root a child would have after changes, without committing them; null = it would be empty. */
  childRootAfter(name: Uint8Array, changes: readonly Change[], version: StateVersion): Uint8Array | null;
  /** The state after the changes, and what has to be stored for it. Roots of changed children are put into the main trie. */
  commit(changes: StorageChanges, version: StateVersion, ahead?: MainAhead | null): Committed;
  /** `state_getReadProof`: the sorted list of nodes (and values kept under their hash) that reading the keys touches. */
  prove(keys: readonly Uint8Array[]): Uint8Array[];
  proveChild(name: Uint8Array, keys: readonly Uint8Array[]): Uint8Array[];
};

/** The main trie with some of the changes in it already. The values are those very arrays, under those very keys. */
export type MainAhead = { readonly main: Trie; readonly values: Map<Uint8Array, Uint8Array | null> };

export type Committed = { readonly backend: Backend; readonly nodes: NodeBatch };

type Child = { readonly name: Uint8Array; readonly trie: Trie };

const pagedKeys = (
  trie: Trie | null,
  prefix: Uint8Array,
  count: number,
  startKey: Uint8Array | null,
): Uint8Array[] => {
  const keys: Uint8Array[] = [];
  if (count <= 0) return keys;
  trie?.visitKeys({ prefix, start: startKey, inclusive: false }, (key) => keys.push(key) < count);
  return keys;
};

const sortedUnion = (a: readonly Uint8Array[], b: readonly Uint8Array[]): Uint8Array[] => {
  const all = new Map<string, Uint8Array>();
  for (const node of [...a, ...b]) all.set(bytesToKey(node), node);
  return [...all.values()].sort(compareBytes);
};

/** The child tries of one state, opened when first used. */
const createChildren = (
  deps: TrieDeps,
  main: Trie,
  known: ReadonlyMap<string, Child>,
): {
  rootOf(name: Uint8Array): Uint8Array | null;
  open(name: Uint8Array): Trie | null;
  opened: ReadonlyMap<string, Child>;
} => {
  const opened = new Map(known);
  const rootOf = (name: Uint8Array): Uint8Array | null => {
    const root = main.get(childKey(name));
    return root !== null && root.length === 32 ? root : null;
  };
  return {
    rootOf,
    open: (name) => {
      const id = bytesToKey(name);
      const known = opened.get(id);
      if (known !== undefined) return known.trie;
      const root = rootOf(name);
      if (root === null) return null;
      const trie = createTrie(deps, root.slice());
      opened.set(id, { name: name.slice(), trie });
      return trie;
    },
    opened,
  };
};

const commitChanges = (
  deps: TrieDeps,
  main: Trie,
  children: ReturnType<typeof createChildren>,
  changes: StorageChanges,
  version: StateVersion,
  ahead: MainAhead | null,
): Committed => {
  const tries = new Map(children.opened);
  const nodes: (readonly [Uint8Array, Uint8Array])[] = [];
  const roots: Change[] = [];
  // A main change of a child's root that does not come from the child's own changes: its open trie no longer holds.
  if (tries.size > 0)
    for (const [key] of changes.main) {
      if (startsWithBytes(key, childPrefix)) tries.delete(bytesToKey(key.subarray(childPrefix.length)));
    }
  for (const [name, list] of changes.children) {
    const before = children.open(name) ?? createTrie(deps, emptyRoot(deps.blake2b256));
    const after = before.apply(list, version);
    const id = bytesToKey(name);
    if (after.isEmpty()) {
      tries.delete(id);
      roots.push([childKey(name), null]);
    } else {
      for (const node of after.collectNew()) nodes.push(node);
      roots.push([childKey(name), after.root()]);
      tries.set(id, { name, trie: after.settled() });
    }
  }
  const left =
    ahead === null ? changes.main : changes.main.filter(([key, value]) => ahead.values.get(key) !== value);
  const next = (ahead?.main ?? main).apply(roots.length === 0 ? left : [...left, ...roots], version);
  for (const node of next.collectNew()) nodes.push(node);
  return { backend: createBackendOver(deps, next.settled(), tries), nodes };
};

/** An error, with the read that met it if it is a miss. The arguments may be views of memory that changes. */
const missed = <T>(
  error: unknown,
  read: (a: Uint8Array, b: Uint8Array) => T,
  a: Uint8Array,
  b: Uint8Array,
): unknown => {
  if (error instanceof MissingNodes) {
    const [first, second] = [a.slice(), b.slice()];
    error.again = () => read(first, second);
  }
  return error;
};

const retried =
  <T>(read: (a: Uint8Array, b: Uint8Array) => T) =>
  (a: Uint8Array, b: Uint8Array = noBytes): T => {
    try {
      return read(a, b);
    } catch (error) {
      throw missed(error, read, a, b);
    }
  };

/** A walk that missed is tried again up to the key it missed. */
const retriedWalk =
  (walk: Backend['visitKeys']): Backend['visitKeys'] =>
  (range, visit) => {
    let seen = 0;
    try {
      walk(range, (...key) => {
        seen++;
        return visit(...key);
      });
    } catch (error) {
      if (!(error instanceof MissingNodes)) throw error;
      const own = { ...range, prefix: range.prefix.slice(), start: range.start?.slice() ?? null };
      error.again = () => {
        let left = seen + 1;
        walk(own, () => --left > 0);
      };
      throw error;
    }
  };

const withAgain = <T>(work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (error instanceof MissingNodes) error.again = work;
    throw error;
  }
};

const createBackendOver = (deps: TrieDeps, main: Trie, known: ReadonlyMap<string, Child>): Backend => {
  const children = createChildren(deps, main, known);
  const empty = emptyRoot(deps.blake2b256);
  return {
    root: main.root(),
    // The hot one has no function in between.
    get: (key) => {
      try {
        return main.get(key);
      } catch (error) {
        throw missed(error, main.get, key, noBytes);
      }
    },
    exists: retried(main.has),
    valueSize: retried(main.valueSize),
    valueHash: retried(main.valueHash),
    nextKey: retried(main.nextKey),
    visitKeys: retriedWalk(main.visitKeys),
    keysPaged: (prefix, count, startKey) => pagedKeys(main, prefix, count, startKey),
    closestMerkleValue: main.closestMerkleValue,
    trieOf: (child) => (child === null ? main : children.open(child)),
    childRoot: retried(children.rootOf),
    childGet: retried((name, key) => children.open(name)?.get(key) ?? null),
    childExists: retried((name, key) => children.open(name)?.has(key) ?? false),
    childValueSize: retried((name, key) => children.open(name)?.valueSize(key) ?? null),
    childValueHash: retried((name, key) => children.open(name)?.valueHash(key) ?? null),
    childNextKey: retried((name, key) => children.open(name)?.nextKey(key) ?? null),
    childVisitKeys: (name, range, visit) =>
      retriedWalk((own, each) => children.open(name)?.visitKeys(own, each))(range, visit),
    childKeysPaged: (name, prefix, count, startKey) =>
      pagedKeys(children.open(name), prefix, count, startKey),
    childClosestMerkleValue: (name, prefix) => children.open(name)?.closestMerkleValue(prefix) ?? null,
    emptyRoot: empty,
    childRootAfter: (name, changes, version) =>
      withAgain(() => {
        const after = (children.open(name) ?? createTrie(deps, empty)).apply(changes, version);
        return after.isEmpty() ? null : after.root();
      }),
    commit: (changes, version, ahead = null) =>
      withAgain(() => commitChanges(deps, main, children, changes, version, ahead)),
    prove: (keys) => withAgain(() => main.prove(keys)),
    proveChild: (name, keys) =>
      withAgain(() =>
        keys.length === 0
          ? []
          : sortedUnion(main.prove([childKey(name)]), children.open(name)?.prove(keys) ?? []),
      ),
  };
};

/** The state under a root; nothing is read yet. */
export const createBackend = (deps: TrieDeps, root: Uint8Array): Backend =>
  createBackendOver(deps, createTrie(deps, root), new Map());

/** A state without keys, to build a genesis on. */
export const createEmptyBackend = (deps: TrieDeps): Backend =>
  createBackend(deps, emptyRoot(deps.blake2b256));
