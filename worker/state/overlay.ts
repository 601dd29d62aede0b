import { compareBytes, startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import type { Change, NodeBatch, StateVersion, Trie } from '../trie/trie.ts';
import { type Backend, type Committed, childKey, type MainAhead } from './backend.ts';
import { createByteMap } from './byte-map.ts';
import type { StorageChanges } from './changes.ts';
import { type Below, createKeySpace, type KeySpace } from './key-space.ts';
import { createLayers, type Layers } from './layers.ts';
import { noRemoval, type Removal, type RemovalLimits, removeUnder } from './removal.ts';

export type { Removal } from './removal.ts';

/**
 * The changes of a block or call over a committed state (sp-state-machine, `ext.rs` and `overlayed_changes`). Reads may throw
 * `MissingNodes` without having changed anything. The overlay owns values passed in. Keys may be views; they
 * are copied. Returned bytes are shared and must not be modified.
 */
export type Overlay = {
  readonly backend: Backend;
  get(key: Uint8Array): Uint8Array | null;
  exists(key: Uint8Array): boolean;
  /** `set` and `clear` silently ignore keys under `:child_storage:`. */
  set(key: Uint8Array, value: Uint8Array): void;
  clear(key: Uint8Array): void;
  append(key: Uint8Array, item: Uint8Array): void;
  nextKey(key: Uint8Array): Uint8Array | null;
  clearPrefix(prefix: Uint8Array, limit: number | null, cursor: Uint8Array | null): Removal;
  childGet(name: Uint8Array, key: Uint8Array): Uint8Array | null;
  childExists(name: Uint8Array, key: Uint8Array): boolean;
  childSet(name: Uint8Array, key: Uint8Array, value: Uint8Array): void;
  childClear(name: Uint8Array, key: Uint8Array): void;
  childNextKey(name: Uint8Array, key: Uint8Array): Uint8Array | null;
  childClearPrefix(
    name: Uint8Array,
    prefix: Uint8Array,
    limit: number | null,
    cursor: Uint8Array | null,
  ): Removal;
  childKill(name: Uint8Array, limit: number | null, cursor: Uint8Array | null): Removal;
  /**
   * Applies up to `count` changes to the trie before `root` is called, which then has less work to do.
   * Returns false if none are left. Does nothing while a transaction is open.
   */
  prepareRoot(version: StateVersion, count: number): boolean;
  root(version: StateVersion): Uint8Array;
  /** Also makes the child's new root visible in the main trie. */
  childRoot(name: Uint8Array, version: StateVersion): Uint8Array;
  offchainIndexSet(key: Uint8Array, value: Uint8Array): void;
  offchainIndexClear(key: Uint8Array): void;
  startTransaction(): void;
  /** Returns false if none is open. */
  rollbackTransaction(): boolean;
  commitTransaction(): boolean;
  depth(): number;
  /**
   * A transaction of the client around a call or an extrinsic (sp-externalities, `TransactionType::Host`).
   * Unlike one that the runtime starts, it takes back from a recorded proof what was read in it, if it is
   * not kept.
   */
  startLayer(): void;
  endLayer(keep: boolean): void;
  /** The size of the proof recorded so far in bytes; null if none is recorded (recorded-overlay.ts). */
  proofSize(): number | null;
  /** Reads and computes again whatever it has of the committed state. */
  forgetReads(): void;
  /** The main-trie keys read from the committed state, in reading order. */
  keysRead(): Uint8Array[];
  /**
   * The work so far that the operations' input does not explain, in steps of about ten nanoseconds: skipped
   * entries, changes applied to a trie. Never decreases; the executor charges it as fuel.
   */
  steps(): number;
  /** All writes, including those of open transactions. */
  changes(): StorageChanges;
  /** The state after the changes and what must be stored for it. The overlay itself does not change. */
  commit(version: StateVersion): OverlayCommit;
};

export type OverlayCommit = {
  readonly backend: Backend;
  readonly nodes: NodeBatch;
  readonly removed: readonly Uint8Array[];
  readonly changes: StorageChanges;
};

type ChildSpace = { readonly key: Uint8Array; readonly space: KeySpace };

const childStorage = /* @__PURE__ */ textToBytes(':child_storage:');

/**
 * Whether a prefix covers child roots: it starts with `:child_storage:` or is a prefix of it (sp-storage,
 * `starts_with_child_storage_key`).
 */
const reachesChildStorage = (prefix: Uint8Array): boolean =>
  prefix.length > childStorage.length
    ? startsWithBytes(prefix, childStorage)
    : startsWithBytes(childStorage, prefix);

const nothing: Below = { get: () => null, exists: () => false, nextKey: () => null };

/** The overlay of a child trie stays in memory as long as the whole overlay: about six kilobytes. */
const stepsOfChild = 3000;

/** The overlays of the child tries, each created on first use. */
const createChildSpaces = (
  layers: Layers,
  backend: Backend,
): {
  at(name: Uint8Array): KeySpace;
  /** For reads. Does not create an overlay for a child trie that is only read. */
  seen(name: Uint8Array): Pick<KeySpace, 'get' | 'exists' | 'nextKey' | 'isWritten'>;
  all(): KeySpace[];
  written(): { name: Uint8Array; space: KeySpace }[];
} => {
  const spaces = createByteMap<ChildSpace>();
  return {
    at: (name) => {
      const known = spaces.get(name);
      if (known !== undefined) return known.space;
      layers.count(stepsOfChild);
      const key = name.slice();
      const space = createKeySpace(layers, {
        get: (at) => backend.childGet(key, at),
        exists: (at) => backend.childExists(key, at),
        nextKey: (at) => backend.childNextKey(key, at),
      });
      spaces.add({ key, space });
      return space;
    },
    seen: (name) =>
      spaces.get(name)?.space ?? {
        get: (at) => backend.childGet(name, at),
        exists: (at) => backend.childExists(name, at),
        nextKey: (at) => backend.childNextKey(name, at),
        isWritten: () => false,
      },
    all: () => spaces.entries().map(({ space }) => space),
    written: () =>
      spaces
        .entries()
        .filter(({ space }) => space.isWritten())
        .map(({ key, space }) => ({ name: key, space })),
  };
};

type Spaces = {
  readonly backend: Backend;
  readonly layers: Layers;
  readonly main: KeySpace;
  readonly children: ReturnType<typeof createChildSpaces>;
  readonly offchain: KeySpace;
};

type MainPart = Pick<Overlay, 'get' | 'exists' | 'set' | 'clear' | 'append' | 'nextKey' | 'clearPrefix'>;

const createMainPart = ({ main, backend }: Spaces): MainPart => ({
  get: main.get,
  exists: main.exists,
  set: (key, value) => {
    if (!startsWithBytes(key, childStorage)) main.set(key, value);
  },
  clear: (key) => {
    if (!startsWithBytes(key, childStorage)) main.set(key, null);
  },
  append: main.append,
  nextKey: main.nextKey,
  clearPrefix: (prefix, limit, cursor) =>
    reachesChildStorage(prefix) ? noRemoval : removeUnder(main, backend.visitKeys, prefix, { limit, cursor }),
});

/** The depth of a key in a trie is at most its length, and its value is hashed. */
const stepsToApply = (changes: readonly Change[]): number =>
  changes.reduce((sum, [key, value]) => sum + 100 + 10 * key.length + (value?.length ?? 0) / 4, 0);

type ChildPart = Pick<
  Overlay,
  | 'childGet'
  | 'childExists'
  | 'childSet'
  | 'childClear'
  | 'childNextKey'
  | 'childClearPrefix'
  | 'childKill'
  | 'childRoot'
>;

const createChildPart = ({ main, backend, children, layers }: Spaces): ChildPart => {
  const remove = (name: Uint8Array, prefix: Uint8Array, limits: RemovalLimits): Removal =>
    removeUnder(
      children.at(name),
      (range, visit) => backend.childVisitKeys(name, range, visit),
      prefix,
      limits,
    );
  return {
    childGet: (name, key) => children.seen(name).get(key),
    childExists: (name, key) => children.seen(name).exists(key),
    childSet: (name, key, value) => children.at(name).set(key, value),
    childClear: (name, key) => children.at(name).set(key, null),
    childNextKey: (name, key) => children.seen(name).nextKey(key),
    childClearPrefix: (name, prefix, limit, cursor) => remove(name, prefix, { limit, cursor }),
    childKill: (name, limit, cursor) => remove(name, new Uint8Array(0), { limit, cursor }),
    childRoot: (name, version) => {
      // Whatever was appended to the child's key in the main trie is not a root.
      if (!children.seen(name).isWritten()) return backend.get(childKey(name)) ?? backend.emptyRoot;
      const changes = children.at(name).changes();
      layers.count(stepsToApply(changes));
      const root = backend.childRootAfter(name, changes, version);
      main.set(childKey(name), root);
      return root ?? backend.emptyRoot;
    },
  };
};

type CommitPart = Pick<Overlay, 'prepareRoot' | 'root' | 'changes' | 'commit' | 'forgetReads'>;

type Ahead = MainAhead & { readonly version: StateVersion; readonly queue: readonly Change[] };

const createCommitPart = ({ backend, layers, main, children, offchain }: Spaces): CommitPart => {
  let last: {
    revision: number;
    version: StateVersion;
    changes: StorageChanges;
    committed: Committed;
  } | null = null;
  let ahead: Ahead | null = null;
  const changes = (): StorageChanges => ({
    main: main.changes(),
    children: children
      .written()
      .sort((a, b) => compareBytes(a.name, b.name))
      .map(({ name, space }) => [name, space.changes()] as const),
    offchain: offchain.changes(),
  });
  const settle = (version: StateVersion): NonNullable<typeof last> => {
    const revision = layers.revision();
    if (last === null || last.revision !== revision || last.version !== version) {
      const all = changes();
      layers.count(stepsToApply(all.main));
      for (const [, list] of all.children) layers.count(stepsToApply(list));
      last = {
        revision,
        version,
        changes: all,
        committed: backend.commit(all, version, ahead?.version === version ? ahead : null),
      };
    }
    return last;
  };
  return {
    prepareRoot: (version, count) => {
      // Excludes changes that a rollback may undo.
      if (layers.depth() > 0) return false;
      if (ahead?.version !== version)
        ahead = { version, queue: main.lasting(), main: backend.trieOf(null) as Trie, values: new Map() };
      const { queue, values } = ahead;
      const next = ahead.main.apply(queue.slice(0, count), version);
      next.root();
      for (const [key, value] of queue.slice(0, count)) values.set(key, value);
      ahead = { ...ahead, main: next, queue: queue.slice(count) };
      return ahead.queue.length > 0;
    },
    root: (version) => settle(version).committed.backend.root,
    forgetReads: () => {
      last = null;
      for (const space of [main, ...children.all()]) space.forgetReads();
    },
    changes,
    commit: (version) => {
      const { changes: all, committed } = settle(version);
      return { ...committed, changes: all };
    },
  };
};

/** An overlay without changes over a state. */
export const createOverlay = (backend: Backend): Overlay => {
  const layers = createLayers();
  const spaces: Spaces = {
    backend,
    layers,
    main: createKeySpace(layers, backend),
    children: createChildSpaces(layers, backend),
    offchain: createKeySpace(layers, nothing),
  };
  return {
    backend,
    ...createMainPart(spaces),
    ...createChildPart(spaces),
    ...createCommitPart(spaces),
    offchainIndexSet: spaces.offchain.set,
    offchainIndexClear: (key) => spaces.offchain.set(key, null),
    startTransaction: layers.start,
    rollbackTransaction: layers.rollback,
    commitTransaction: layers.commit,
    depth: layers.depth,
    startLayer: layers.start,
    endLayer: (keep) => void (keep ? layers.commit() : layers.rollback()),
    proofSize: () => null,
    keysRead: spaces.main.keysRead,
    steps: layers.steps,
  };
};
