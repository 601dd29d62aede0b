import { compareBytes, startsWithBytes } from '../bytes/bytes.ts';
import { commonNibbles, nibbleAt } from './nibbles.ts';
import { noValue, type TrieNode } from './node-codec.ts';
import { childAt, type TrieContext } from './trie-context.ts';

/** Sees a key in order; answers whether to go on. */
export type KeyVisitor = (key: Uint8Array, node: TrieNode) => boolean;

type Walk = {
  readonly context: TrieContext;
  readonly visit: KeyVisitor;
  readonly start: Uint8Array;
  readonly inclusive: boolean;
  /** The nibbles from the root to where the walk is. */
  path: Uint8Array;
};

const pathWith = (walk: Walk, length: number): Uint8Array => {
  if (walk.path.length < length) {
    const grown = new Uint8Array(length * 2);
    grown.set(walk.path);
    walk.path = grown;
  }
  return walk.path;
};

const pushPartial = (walk: Walk, node: TrieNode, depth: number): number => {
  const end = depth + node.partialCount;
  const path = pathWith(walk, end + 1);
  for (let i = 0; i < node.partialCount; i++) path[depth + i] = nibbleAt(node.partial, node.partialStart + i);
  return end;
};

const emit = (walk: Walk, node: TrieNode, length: number): boolean => {
  const key = new Uint8Array(length >> 1);
  const { path } = walk;
  for (let i = 0; i < key.length; i++) key[i] = ((path[2 * i] as number) << 4) | (path[2 * i + 1] as number);
  return walk.visit(key, node);
};

const walkChildren = (walk: Walk, node: TrieNode, end: number, from: number): boolean => {
  for (let slot = from; slot < 16; slot++) {
    if (((node.bitmap >> slot) & 1) === 0) continue;
    const child = childAt(walk.context, node, slot);
    pathWith(walk, end + 1)[end] = slot;
    if (!walkAll(walk, child, end + 1)) return false;
  }
  return true;
};

/** Every key of a subtree that begins at `depth`. Answers whether to go on. */
const walkAll = (walk: Walk, node: TrieNode, depth: number): boolean => {
  const end = pushPartial(walk, node, depth);
  if (node.valueKind !== noValue && !emit(walk, node, end)) return false;
  return walkChildren(walk, node, end, 0);
};

/** The keys of a subtree from `start` on; the path down to `depth` agrees with `start`. */
const walkFromStart = (walk: Walk, node: TrieNode, depth: number): boolean => {
  const { start } = walk;
  const count = node.partialCount;
  const common = commonNibbles(node.partial, node.partialStart, count, start, depth);
  const at = depth + common;
  const isStartUsedUp = at === start.length * 2;
  if (common < count) {
    if (isStartUsedUp || nibbleAt(node.partial, node.partialStart + common) > nibbleAt(start, at)) {
      return walkAll(walk, node, depth);
    }
    return true;
  }
  const end = pushPartial(walk, node, depth);
  if (isStartUsedUp) {
    if (walk.inclusive && node.valueKind !== noValue && !emit(walk, node, end)) return false;
    return walkChildren(walk, node, end, 0);
  }
  const slot = nibbleAt(start, end);
  if (((node.bitmap >> slot) & 1) === 1) {
    const child = childAt(walk.context, node, slot);
    pathWith(walk, end + 1)[end] = slot;
    if (!walkFromStart(walk, child, end + 1)) return false;
  }
  return walkChildren(walk, node, end, slot + 1);
};

export type WalkOptions = {
  readonly prefix: Uint8Array;
  /** Null: from the first key under the prefix. */
  readonly start: Uint8Array | null;
  /** Whether `start` itself is visited. */
  readonly inclusive: boolean;
};

const walkUnder = (walk: Walk, root: TrieNode | null, prefix: Uint8Array, start: Uint8Array | null): void => {
  let node = root;
  let depth = 0;
  while (node !== null) {
    const common = commonNibbles(node.partial, node.partialStart, node.partialCount, prefix, depth);
    if (depth + common === prefix.length * 2) break;
    if (common < node.partialCount) return;
    depth = pushPartial(walk, node, depth);
    const slot = nibbleAt(prefix, depth);
    if (((node.bitmap >> slot) & 1) === 0) return;
    pathWith(walk, depth + 1)[depth] = slot;
    node = childAt(walk.context, node, slot);
    depth++;
  }
  if (node === null) return;
  if (start === null) walkAll(walk, node, depth);
  else if (startsWithBytes(start, prefix)) walkFromStart(walk, node, depth);
  else if (compareBytes(start, prefix) < 0) walkAll(walk, node, depth);
};

/** Visits the keys under a prefix in byte order; touches no node outside the prefix. Throws `MissingNodes`. */
export const walkKeys = (
  context: TrieContext,
  root: TrieNode | null,
  options: WalkOptions,
  visit: KeyVisitor,
): void => {
  const { prefix, start, inclusive } = options;
  const path = context.path ?? new Uint8Array(160);
  context.path = null;
  const walk: Walk = { context, visit, start: start ?? prefix, inclusive, path };
  try {
    walkUnder(walk, root, prefix, start);
  } finally {
    context.path = walk.path;
  }
};
