import { compareBytes, startsWithBytes, textToBytes } from '../bytes/bytes.ts';
import { bytesToHex, type Hex, hexToBytes } from '../bytes/hex.ts';
import { Writer } from '../bytes/writer.ts';
import { splitVector } from './append.ts';
import {
  createModelTrie,
  emptyRoot,
  keyOf,
  type ModelChange,
  type ModelRecorder,
  type ModelTrie,
  type Nodes,
  nibblesOf,
} from './proof-model.fixture.ts';

/** Written values of a trie by key; null = deleted. */
type Written = Map<Hex, Uint8Array | null>;
/** By the name of the child trie, without the prefix of its key; `0x` is the main trie. */
type Changes = Map<Hex, Written>;

const main: Hex = '0x';

/** Transactions: the overlay is copied for each. */
const createStack = () => {
  const stack: Changes[] = [new Map()];
  const top = (): Changes => stack[stack.length - 1] as Changes;
  return {
    top,
    written: (name: Hex): Written => {
      const known = top().get(name) ?? new Map<Hex, Uint8Array | null>();
      top().set(name, known);
      return known;
    },
    start: () => void stack.push(new Map([...top()].map(([name, map]) => [name, new Map(map)]))),
    commit: (): void => void stack.splice(-2, 1),
    rollback: () => void stack.pop(),
  };
};
type Stack = ReturnType<typeof createStack>;

const childKey = (name: Hex): Uint8Array =>
  Uint8Array.of(...textToBytes(':child_storage:default:'), ...hexToBytes(name));

/** The committed state: `TrieBackendEssence`. */
const createModelState = (nodes: Nodes, recorder: Pick<ModelRecorder, 'record'>, root: Hex) => {
  const mainTrie = createModelTrie(nodes, recorder, root);
  const childRoot = (name: Hex): Hex | null => {
    const value = mainTrie.get(nibblesOf(childKey(name)));
    return value === null ? null : bytesToHex(value);
  };
  return {
    childRoot,
    trieOf: (name: Hex): ModelTrie | null => {
      if (name === main) return mainTrie;
      const child = childRoot(name);
      return child === null ? null : createModelTrie(nodes, recorder, child);
    },
    childOrEmpty: (name: Hex): ModelTrie => createModelTrie(nodes, recorder, childRoot(name) ?? emptyRoot),
  };
};
type State = ReturnType<typeof createModelState>;

const createReads = ({ top }: Stack, { trieOf }: State) => ({
  get: (name: Hex, key: Uint8Array): Uint8Array | null => {
    const change = top().get(name)?.get(bytesToHex(key));
    return change === undefined ? (trieOf(name)?.get(nibblesOf(key)) ?? null) : change;
  },
  exists: (name: Hex, key: Uint8Array): boolean => {
    const change = top().get(name)?.get(bytesToHex(key));
    return change === undefined ? (trieOf(name)?.exists(nibblesOf(key)) ?? false) : change !== null;
  },
  /** `next_storage_key`, `next_child_storage_key`. */
  nextKey: (name: Hex, key: Uint8Array): Uint8Array | null => {
    const below = (from: Uint8Array): Uint8Array | null => {
      const next = trieOf(name)?.nextKey(nibblesOf(from)) ?? null;
      return next === null ? null : keyOf(next);
    };
    let next = below(key);
    const after = [...(top().get(name) ?? [])]
      .map(([at, value]) => [hexToBytes(at), value] as const)
      .filter(([at]) => compareBytes(at, key) > 0)
      .sort(([a], [b]) => compareBytes(a, b));
    for (const [at, value] of after) {
      const order = next === null ? null : compareBytes(next, at);
      if (order !== null && order < 0) return next;
      if (value !== null) return at;
      if (order === 0) next = below(at);
    }
    return next;
  },
});

const createWrites = ({ top, written }: Stack, { trieOf }: State) => ({
  set: (name: Hex, key: Uint8Array, value: Uint8Array | null) =>
    void written(name).set(bytesToHex(key), value),
  append: (key: Uint8Array, item: Uint8Array): void => {
    const change = top().get(main)?.get(bytesToHex(key));
    const before = change === undefined ? (trieOf(main)?.get(nibblesOf(key)) ?? null) : change;
    const [count, items] = splitVector(before);
    const value = new Writer()
      .compact(count + 1)
      .raw(items)
      .raw(item);
    written(main).set(bytesToHex(key), value.finish());
  },
  /** `clear_prefix`, `clear_child_prefix`, `kill_child_storage`. */
  clear: (name: Hex, prefix: Uint8Array, limit: number | null, cursor: Uint8Array | null): void => {
    // A prefix that covers the roots of child tries is refused.
    if (name === main && prefix.length === 0) return;
    const map = written(name);
    for (const key of map.keys()) if (startsWithBytes(hexToBytes(key), prefix)) map.set(key, null);
    const from = cursor === null ? null : nibblesOf(cursor);
    let loops = 0;
    for (const key of trieOf(name)?.keys(nibblesOf(prefix), from) ?? []) {
      if (loops === limit) break;
      map.set(bytesToHex(keyOf(key)), null);
      loops++;
    }
  },
});

const createRoots = ({ top, written }: Stack, state: State, unrecorded: State) => {
  const changesOf = (name: Hex): ModelChange[] =>
    [...(top().get(name) ?? [])].map(([key, value]) => [nibblesOf(hexToBytes(key)), value]);
  /** A root to write, whichever, or null: the child has no keys left. */
  const newRoot = (name: Hex): Uint8Array | null => {
    const before = [...(unrecorded.trieOf(name)?.keys([], null) ?? [])];
    const keys = new Set(before.map((key) => bytesToHex(keyOf(key))));
    for (const [key, change] of top().get(name) ?? []) {
      if (change === null) keys.delete(key);
      else keys.add(key);
    }
    return keys.size === 0 ? null : new Uint8Array(32);
  };
  const editChild = (name: Hex): void => state.childOrEmpty(name).edit(changesOf(name));
  return {
    /** `full_storage_root`: the children that have changes, then the main trie with their roots. */
    root: (): void => {
      const children = [...top().keys()].filter((name) => name !== main);
      for (const name of children) editChild(name);
      const roots = children.map((name): ModelChange => [nibblesOf(childKey(name)), newRoot(name)]);
      state.trieOf(main)?.edit([...changesOf(main), ...roots]);
    },
    childRoot: (name: Hex): void => {
      if (top().has(name)) {
        editChild(name);
        written(main).set(bytesToHex(childKey(name)), newRoot(name));
      } else state.childRoot(name);
    },
  };
};

/**
 * What the host functions of sp-state-machine (`ext.rs`, `overlayed_changes`) read from the committed state.
 */
export const createModelExt = (nodes: Nodes, recorder: ModelRecorder, root: Hex) => {
  const stack = createStack();
  const state = createModelState(nodes, recorder, root);
  const unrecorded = createModelState(nodes, { record: () => undefined }, root);
  const { start, commit, rollback } = stack;
  return {
    ...createReads(stack, state),
    ...createWrites(stack, state),
    ...createRoots(stack, state, unrecorded),
    start,
    commit,
    rollback,
  };
};
export type ModelExt = ReturnType<typeof createModelExt>;
