import { blake2b } from '@noble/hashes/blake2.js';
import { bytesToHex, type Hex } from '../bytes/hex.ts';
import { baseReference, decodeNode, hashedValue, inlineValue, noValue } from '../trie/node-codec.ts';

/**
 * What sp-trie's recorder counts, written from its source without regard to speed: `recorder.rs`, and of
 * trie-db `lookup.rs`, `iterator.rs` and `triedbmut.rs`. Keys are lists of nibbles. No node is kept between
 * two operations.
 */
export type Nodes = { get(name: Hex): Uint8Array | undefined };

export const hash = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });
export const emptyRoot: Hex = bytesToHex(hash(new Uint8Array(1)));

const scaleLength = (length: number): number =>
  length + (length < 64 ? 1 : length < 16_384 ? 2 : length < 1_073_741_824 ? 4 : 5);

export const createModelRecorder = (ignored: ReadonlySet<Hex> = new Set()) => {
  const accessed = new Map<Hex, number>();
  const transactions: Set<Hex>[] = [];
  return {
    accessed,
    record: (name: Hex, bytes: Uint8Array): void => {
      if (ignored.has(name) || accessed.has(name)) return;
      accessed.set(name, scaleLength(bytes.length));
      transactions.at(-1)?.add(name);
    },
    start: () => void transactions.push(new Set()),
    commit: (): void => {
      const done = transactions.pop() as Set<Hex>;
      for (const name of done) transactions.at(-1)?.add(name);
    },
    rollback: (): void => {
      for (const name of transactions.pop() as Set<Hex>) accessed.delete(name);
    },
    size: () => [...accessed.values()].reduce((sum, length) => sum + length, 0),
  };
};
export type ModelRecorder = ReturnType<typeof createModelRecorder>;

export const nibblesOf = (key: Uint8Array): number[] => [...key].flatMap((byte) => [byte >> 4, byte & 15]);
export const keyOf = (nibbles: readonly number[]): Uint8Array =>
  Uint8Array.from(
    { length: nibbles.length / 2 },
    (_, i) => (nibbles[2 * i] as number) * 16 + (nibbles[2 * i + 1] as number),
  );

type Value = { kind: 'none' } | { kind: 'inline'; bytes: Uint8Array } | { kind: 'hashed'; hash: Hex };
/** A child that is not loaded is the hash it has. */
type Node = { partial: number[]; children: (Node | Hex | null)[]; value: Value };

const parse = (bytes: Uint8Array): Node | null => {
  if (bytes.length === 1 && bytes[0] === 0) return null;
  const node = decodeNode(bytes);
  const all = [...node.partial].flatMap((byte) => [byte >> 4, byte & 15]);
  const children = Array.from({ length: 16 }, (_, slot) => {
    if (((node.bitmap >> slot) & 1) === 0) return null;
    const reference = baseReference(node, slot);
    return reference.length === 32 ? bytesToHex(reference) : parse(reference);
  });
  const value: Value =
    node.valueKind === noValue
      ? { kind: 'none' }
      : node.valueKind === inlineValue
        ? { kind: 'inline', bytes: node.value as Uint8Array }
        : { kind: 'hashed', hash: bytesToHex(node.valueHash as Uint8Array) };
  if (node.valueKind === hashedValue && value.kind !== 'hashed') throw new Error('unreachable');
  return { partial: all.slice(node.partialStart, node.partialStart + node.partialCount), children, value };
};

const startsWith = (list: readonly number[], prefix: readonly number[]): boolean =>
  prefix.every((nibble, i) => list[i] === nibble);

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (let i = 0; i < Math.min(a.length, b.length); i++)
    if (a[i] !== b[i]) return (a[i] as number) - (b[i] as number);
  return a.length - b.length;
};

/** The node of a reference; one that is not part of its parent is recorded. */
type Load = (child: Node | Hex | null) => Node | null;

const lookUp = (load: Load, root: Hex, key: readonly number[]): Value => {
  let node = load(root);
  let rest = key;
  for (;;) {
    if (node === null || !startsWith(rest, node.partial)) return { kind: 'none' };
    rest = rest.slice(node.partial.length);
    if (rest.length === 0) return node.value;
    node = load(node.children[rest[0] as number] ?? null);
    rest = rest.slice(1);
  }
};

/** Keys from `start` on, in order. A node is loaded when the iterator reaches it. */
function* keysFrom(
  load: Load,
  node: Node | null,
  before: readonly number[],
  start: readonly number[],
): Generator<number[]> {
  if (node === null) return;
  const path = [...before, ...node.partial];
  const isOnTheWay = path.length < start.length && startsWith(start, path);
  if (!isOnTheWay && compare(path, start) < 0) return;
  if (!isOnTheWay && node.value.kind !== 'none') yield path;
  for (let slot = isOnTheWay ? (start[path.length] as number) : 0; slot < 16; slot++)
    yield* keysFrom(load, load(node.children[slot] ?? null), [...path, slot], start);
}

/** `prefix_then_seek`, then `next_key` until the caller stops. */
function* keysUnder(
  load: Load,
  root: Hex,
  prefix: readonly number[],
  start: readonly number[] | null,
): Generator<number[]> {
  let node = load(root);
  const isLater = start !== null && compare(start, prefix) > 0;
  if (isLater && !startsWith(start, prefix)) return;
  lookUp(load, root, prefix);
  if (isLater) lookUp(load, root, start);
  let path: number[] = [];
  while (node !== null && path.length + node.partial.length < prefix.length) {
    path = [...path, ...node.partial];
    if (!startsWith(prefix, path)) return;
    const slot = prefix[path.length] as number;
    node = load(node.children[slot] ?? null);
    path = [...path, slot];
  }
  if (node === null || !startsWith([...path, ...node.partial], prefix)) return;
  yield* keysFrom(load, node, path, isLater ? start : []);
}

const insert = (load: Load, child: Node | Hex | null, key: number[]): Node => {
  const node = load(child);
  const value: Value = { kind: 'inline', bytes: new Uint8Array() };
  if (node === null) return { partial: key, children: [], value };
  let common = 0;
  while (common < key.length && key[common] === node.partial[common]) common++;
  if (common < node.partial.length) {
    const children: Node['children'] = [];
    children[node.partial[common] as number] = { ...node, partial: node.partial.slice(common + 1) };
    const branch: Node = { partial: node.partial.slice(0, common), children, value: { kind: 'none' } };
    if (common === key.length) branch.value = value;
    else children[key[common] as number] = { partial: key.slice(common + 1), children: [], value };
    return branch;
  }
  if (common === key.length) return { ...node, value };
  const slot = key[common] as number;
  node.children[slot] = insert(load, node.children[slot] ?? null, key.slice(common + 1));
  return node;
};

const fix = (load: Load, node: Node): Node | null => {
  const slots = [...node.children.keys()].filter((slot) => (node.children[slot] ?? null) !== null);
  if (node.value.kind !== 'none' || slots.length > 1) return node;
  if (slots.length === 0) return null;
  const slot = slots[0] as number;
  const only = load(node.children[slot] ?? null) as Node;
  return { ...only, partial: [...node.partial, slot, ...only.partial] };
};

const remove = (load: Load, child: Node | Hex | null, key: number[]): Node | null => {
  const node = load(child);
  if (node === null || !startsWith(key, node.partial)) return node;
  const rest = key.slice(node.partial.length);
  if (rest.length === 0)
    return node.value.kind === 'none' ? node : fix(load, { ...node, value: { kind: 'none' } });
  const slot = rest[0] as number;
  if ((node.children[slot] ?? null) === null) return node;
  const left = remove(load, node.children[slot] ?? null, rest.slice(1));
  node.children[slot] = left;
  return left === null ? fix(load, node) : node;
};

/** Keys with what is written to them; null = removed. */
export type ModelChange = readonly [key: number[], value: Uint8Array | null];

/** One trie of the committed state. */
export const createModelTrie = (nodes: Nodes, recorder: Pick<ModelRecorder, 'record'>, root: Hex) => {
  const load: Load = (child) => {
    if (typeof child !== 'string') return child;
    const bytes = child === emptyRoot ? new Uint8Array(1) : (nodes.get(child) as Uint8Array);
    recorder.record(child, bytes);
    return parse(bytes);
  };
  return {
    get: (key: readonly number[]): Uint8Array | null => {
      const value = lookUp(load, root, key);
      if (value.kind !== 'hashed') return value.kind === 'none' ? null : value.bytes;
      const bytes = nodes.get(value.hash) as Uint8Array;
      recorder.record(value.hash, bytes);
      return bytes;
    },
    exists: (key: readonly number[]): boolean => lookUp(load, root, key).kind !== 'none',
    nextKey: (key: readonly number[]): number[] | null => {
      for (const found of keysFrom(load, load(root), [], key)) if (compare(found, key) > 0) return found;
      return null;
    },
    keys: (prefix: readonly number[], start: readonly number[] | null) =>
      keysUnder(load, root, prefix, start),
    /** What `TrieDBMut` loads for changes, which it makes in the order of their keys. */
    edit: (changes: readonly ModelChange[]): void => {
      let top: Node | Hex = root;
      for (const [key, value] of [...changes].sort(([a], [b]) => compare(a, b)))
        top = (value === null ? remove(load, top, key) : insert(load, top, key)) ?? emptyRoot;
    },
  };
};
export type ModelTrie = ReturnType<typeof createModelTrie>;

/** The places of all nodes and hashed values of a trie: `path:hash`. */
export const placesOf = (nodes: Nodes, root: Hex, path: readonly number[] = []): string[] => {
  const visit = (node: Node | null, at: readonly number[]): string[] => {
    if (node === null) return [];
    const end = [...at, ...node.partial];
    const below = [...node.children.entries()].flatMap(([slot, child]) => {
      if (child == null) return [];
      const next = [...end, slot];
      return typeof child === 'string' ? placesOf(nodes, child, next) : visit(child, next);
    });
    return node.value.kind === 'hashed' ? [`${end.join()}:${node.value.hash}`, ...below] : below;
  };
  if (root === emptyRoot) return [];
  return [`${path.join()}:${root}`, ...visit(parse(nodes.get(root) as Uint8Array), path)];
};
