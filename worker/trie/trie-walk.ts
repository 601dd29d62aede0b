import { compareBytes, equalBytes, startsWithBytes } from '../bytes/bytes.ts';
import { locateMiss, type MissingNode, MissingNodes, missingNode } from './missing-nodes.ts';
import { commonNibbles, copyNibbles, keyThrough, lowestKeyThrough, nibbleAt, setNibble } from './nibbles.ts';
import { baseReference, noValue, type TrieNode } from './node-codec.ts';
import { childAt, type TrieContext } from './trie-context.ts';

/** Receives keys in order. Returns whether to continue. */
export type KeyVisitor = (key: Uint8Array, node: TrieNode) => boolean;

/** The root of a trie, with everything below it encoded. */
export type TrieTop = { readonly context: TrieContext; readonly root: TrieNode | null };

/**
 * Another trie's position at the nibbles of a walk: `used` nibbles of the node's partial key are consumed.
 * Null: no such position.
 */
type Place = { readonly node: TrieNode; readonly used: number } | null;

type Walk = {
  readonly context: TrieContext;
  /** The other trie's position. Equal hashes at the same position are skipped. */
  readonly beside: TrieContext | null;
  readonly visit: KeyVisitor;
  readonly start: Uint8Array;
  readonly inclusive: boolean;
  /** The nibbles from the root to the current position, two in a byte. */
  path: Uint8Array;
};

/** `length` in nibbles. */
const pathWith = (walk: Walk, length: number): Uint8Array => {
  if (walk.path.length * 2 < length) {
    const grown = new Uint8Array(length);
    grown.set(walk.path);
    walk.path = grown;
  }
  return walk.path;
};

const pushPartial = (walk: Walk, node: TrieNode, depth: number): number => {
  const end = depth + node.partialCount;
  copyNibbles(pathWith(walk, end + 1), depth, node.partial, node.partialStart, node.partialCount);
  return end;
};

const emit = (walk: Walk, node: TrieNode, length: number): boolean =>
  walk.visit(walk.path.slice(0, length >> 1), node);

/** A key on whose path the child at a slot lies, below the first `count` nibbles of the walk's path. */
const keyOfChild = ({ path }: Walk, count: number, slot: number): Uint8Array => keyThrough(path, count, slot);

/** `depth` is where the nibble lies. */
const follow = (walk: Walk, place: Place, nibble: number, depth: number): Place => {
  if (place === null) return null;
  const { node, used } = place;
  if (used < node.partialCount)
    return nibbleAt(node.partial, node.partialStart + used) === nibble ? { node, used: used + 1 } : null;
  if (((node.bitmap >> nibble) & 1) === 0) return null;
  try {
    return { node: childAt(walk.beside as TrieContext, node, nibble), used: 0 };
  } catch (error) {
    locateMiss(error, keyOfChild(walk, depth, nibble));
    throw error;
  }
};

/** `end` is where the node's partial key ends. */
const followPartial = (walk: Walk, place: Place, node: TrieNode, end: number): Place => {
  let next = node.bitmap === 0 ? null : place;
  const from = end - node.partialCount;
  for (let i = 0; i < node.partialCount && next !== null; i++)
    next = follow(walk, next, nibbleAt(node.partial, node.partialStart + i), from + i);
  return next;
};

/**
 * Whether the other trie has the same child there. Compares the references in both encodings, without loading
 * either child.
 */
const isSame = (node: TrieNode, slot: number, place: Place): boolean =>
  place !== null &&
  place.used === place.node.partialCount &&
  ((place.node.bitmap >> slot) & 1) === 1 &&
  equalBytes(baseReference(node, slot), baseReference(place.node, slot));

/**
 * A child of the walked trie. If it is missing, its siblings may be too, and the walk needs them next: the
 * miss lists all of them.
 */
const walkedChild = (walk: Walk, node: TrieNode, slot: number, end: number): TrieNode => {
  const { context } = walk;
  try {
    return childAt(context, node, slot);
  } catch (error) {
    if (!(error instanceof MissingNodes)) throw error;
    locateMiss(error, keyOfChild(walk, end, slot));
    const from = lowestKeyThrough(walk.path, end, slot);
    const nodes: MissingNode[] = error.nodes.map((missed) => ({ ...missed, from }));
    for (let next = slot + 1; next < 16; next++) {
      if (((node.bitmap >> next) & 1) === 0) continue;
      const reference = baseReference(node, next);
      if (reference.length === 32 && context.source.getNode(reference) === null)
        nodes.push(missingNode(reference.slice(), keyOfChild(walk, end, next), context.source));
    }
    throw new MissingNodes(nodes);
  }
};

/** `place` is the other trie's position at the nibbles up to `end`. */
const walkChildren = (walk: Walk, node: TrieNode, end: number, from: number, place: Place): boolean => {
  for (let slot = from; slot < 16; slot++) {
    if (((node.bitmap >> slot) & 1) === 0 || isSame(node, slot, place)) continue;
    const child = walkedChild(walk, node, slot, end);
    setNibble(pathWith(walk, end + 1), end, slot);
    if (!walkAll(walk, child, end + 1, follow(walk, place, slot, end))) return false;
  }
  return true;
};

/** Every key of a subtree that starts at `depth`. Returns whether to continue. */
const walkAll = (walk: Walk, node: TrieNode, depth: number, place: Place): boolean => {
  const end = pushPartial(walk, node, depth);
  if (node.valueKind !== noValue && !emit(walk, node, end)) return false;
  return walkChildren(walk, node, end, 0, followPartial(walk, place, node, end));
};

/** The keys of a subtree from `start` on. The path down to `depth` matches `start`. */
const walkFromStart = (walk: Walk, node: TrieNode, depth: number, place: Place): boolean => {
  const { start } = walk;
  const count = node.partialCount;
  const common = commonNibbles(node.partial, node.partialStart, count, start, depth);
  const at = depth + common;
  const isStartUsedUp = at === start.length * 2;
  if (common < count) {
    if (isStartUsedUp || nibbleAt(node.partial, node.partialStart + common) > nibbleAt(start, at)) {
      return walkAll(walk, node, depth, place);
    }
    return true;
  }
  const end = pushPartial(walk, node, depth);
  const here = followPartial(walk, place, node, end);
  if (isStartUsedUp) {
    if (walk.inclusive && node.valueKind !== noValue && !emit(walk, node, end)) return false;
    return walkChildren(walk, node, end, 0, here);
  }
  const slot = nibbleAt(start, end);
  if (((node.bitmap >> slot) & 1) === 1 && !isSame(node, slot, here)) {
    const child = childAt(walk.context, node, slot);
    setNibble(pathWith(walk, end + 1), end, slot);
    if (!walkFromStart(walk, child, end + 1, follow(walk, here, slot, end))) return false;
  }
  return walkChildren(walk, node, end, slot + 1, here);
};

export type WalkOptions = {
  readonly prefix: Uint8Array;
  /** Null: from the first key under the prefix. */
  readonly start: Uint8Array | null;
  /** Whether `start` itself is visited. */
  readonly inclusive: boolean;
  /**
   * A trie to compare with: subtrees at the same position in both are skipped. Encodes the walked trie too.
   */
  readonly beside?: TrieTop;
};

const walkUnder = (walk: Walk, root: TrieNode | null, { prefix, start, beside }: WalkOptions): void => {
  let place: Place = beside === undefined || beside.root === null ? null : { node: beside.root, used: 0 };
  let node = root;
  let depth = 0;
  while (node !== null) {
    const common = commonNibbles(node.partial, node.partialStart, node.partialCount, prefix, depth);
    if (depth + common === prefix.length * 2) break;
    if (common < node.partialCount) return;
    depth = pushPartial(walk, node, depth);
    const slot = nibbleAt(prefix, depth);
    place = followPartial(walk, place, node, depth);
    if (((node.bitmap >> slot) & 1) === 0 || isSame(node, slot, place)) return;
    setNibble(pathWith(walk, depth + 1), depth, slot);
    node = childAt(walk.context, node, slot);
    place = follow(walk, place, slot, depth);
    depth++;
  }
  if (node === null) return;
  if (start === null) walkAll(walk, node, depth, place);
  else if (startsWithBytes(start, prefix)) walkFromStart(walk, node, depth, place);
  else if (compareBytes(start, prefix) < 0) walkAll(walk, node, depth, place);
};

/** Visits the keys under a prefix in byte order. Loads no node outside the prefix. Throws `MissingNodes`. */
export const walkKeys = (
  context: TrieContext,
  root: TrieNode | null,
  options: WalkOptions,
  visit: KeyVisitor,
): void => {
  const { prefix, start, inclusive, beside } = options;
  const walk: Walk = {
    context,
    beside: beside?.context ?? null,
    visit,
    start: start ?? prefix,
    inclusive,
    path: new Uint8Array(80),
  };
  try {
    walkUnder(walk, root, options);
  } catch (error) {
    // What is not located yet lies on the way to where the walk begins.
    locateMiss(error, start !== null && compareBytes(start, prefix) > 0 ? start : prefix);
    throw error;
  }
};
