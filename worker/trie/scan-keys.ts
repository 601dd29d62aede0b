import { NodeError } from '../../src/protocol/errors.ts';
import { commonNibbles, copyNibbles, nibbleAt, setNibble } from './nibbles.ts';
import { readLength, readPartialCount } from './node-codec.ts';
import type { VisitKey } from './trie.ts';

/** The bytes of a node within a buffer. */
export type Span = { readonly bytes: Uint8Array; readonly at: number; readonly end: number };

/** Where a scan is: after a key, which begins with the prefix of its range. */
export type Position = {
  readonly after: Uint8Array;
  /** The length of the prefix, in nibbles. */
  readonly within: number;
};

export type KeyScan = {
  /** Finds the node whose hash is at an offset. Throws `MissingNodes`. */
  find(bytes: Uint8Array, at: number): Span;
  readonly from: Position;
  /** Whether the key of the position itself is visited. */
  readonly inclusive: boolean;
  /** Gets a view that the next key overwrites. */
  readonly visit: VisitKey;
};

const broken = (): NodeError => new NodeError('BadScale', 'The bytes are not a trie node');

/** How a scan passes a node whose path lies on that of its position. */
export type Way = {
  /** Whether the node's own key is before the position, at it, or after it. */
  readonly own: 'before' | 'at' | 'after';
  /** The slots of children with keys after the position. */
  readonly first: number;
  readonly last: number;
};

const wholeNode: Way = { own: 'after', first: 0, last: 15 };

/**
 * `count` nibbles of `bytes` from `start` on are the node's partial key, which begins at nibble `depth` of its path. Only if its own
 * key is before the position, the first child is on the path as well. Null: the node has no keys in the range after it.
 */
export const wayThrough = (
  bytes: Uint8Array,
  start: number,
  count: number,
  { after, within }: Position,
  depth: number,
): Way | null => {
  const common = commonNibbles(bytes, start, count, after, depth);
  const end = depth + common;
  if (end === after.length * 2) return common < count ? wholeNode : { ...wholeNode, own: 'at' };
  const next = nibbleAt(after, end);
  if (common < count) return end < within || nibbleAt(bytes, start + common) < next ? null : wholeNode;
  return { own: 'before', first: next, last: end < within ? next : 15 };
};

/** A key in one buffer for all of them. */
const createKeyBuffer = () => {
  let path: Uint8Array = new Uint8Array(128);
  let out: Uint8Array = new Uint8Array(128);
  let key = out;
  return {
    /** The nibbles down to a node, with room for `nibbles` and one more. */
    pathFor: (nibbles: number): Uint8Array => {
      if (path.length * 2 <= nibbles) {
        const grown = new Uint8Array(nibbles * 2);
        grown.set(path);
        path = grown;
      }
      return path;
    },
    /** The path as a key. */
    key: (length: number): Uint8Array => {
      if (out.length < length) out = new Uint8Array(path.length);
      if (key.length !== length || key.buffer !== out.buffer) key = out.subarray(0, length);
      for (let i = 0; i < length; i++) key[i] = path[i] as number;
      return key;
    },
  };
};

/**
 * Visits the keys under a root in byte order, until the visitor returns false. Creates no object for a node or a key, and so
 * takes a third of the time of a walk over nodes that must be decoded.
 */
export const scanKeys = (root: Uint8Array, { find, from, inclusive, visit }: KeyScan): void => {
  const buffer = createKeyBuffer();
  const cursor = { at: 0 };

  /** `at`: of the children's references, which end with the node. */
  const scanChildren = (
    bytes: Uint8Array,
    start: number,
    end: number,
    bitmap: number,
    depth: number,
    way: Way,
  ): boolean => {
    let at = start;
    for (let slot = 0; slot < 16; slot++) {
      if (((bitmap >> slot) & 1) === 0) continue;
      const child = at + 1;
      at = child + ((bytes[at] as number) >> 2);
      if (at - child > 32 || at > end) throw broken();
      if (slot < way.first || slot > way.last) continue;
      setNibble(buffer.pathFor(depth), depth, slot);
      const isOnPath = way.own === 'before' && slot === way.first;
      const found = at - child === 32 ? find(bytes, child) : null;
      const goesOn =
        found === null
          ? scan(bytes, child, at, depth + 1, isOnPath)
          : scan(found.bytes, found.at, found.end, depth + 1, isOnPath);
      if (!goesOn) return false;
    }
    if (at !== end) throw broken();
    return true;
  };

  /** `depth` is where the node's partial key begins. `isOnPath`: the path down to there is that of the position. */
  const scan = (bytes: Uint8Array, start: number, end: number, depth: number, isOnPath: boolean): boolean => {
    const head = bytes[start] as number;
    const top = head >> 6;
    if (top === 0 && (head & 0x30) === 0) throw broken();
    const bits = top !== 0 ? 6 : (head & 0x20) !== 0 ? 5 : 4;
    cursor.at = start;
    const count = readPartialCount(bytes, bits, cursor);
    const partial = cursor.at * 2 + (count & 1);
    const way = isOnPath ? wayThrough(bytes, partial, count, from, depth) : wholeNode;
    if (way === null) return true;
    const here = depth + count;
    copyNibbles(buffer.pathFor(here), depth, bytes, partial, count);
    let at = cursor.at + ((count + 1) >> 1);
    let bitmap = 0;
    if (top === 0 ? bits === 4 : top !== 1) {
      bitmap = (bytes[at] as number) | ((bytes[at + 1] as number) << 8);
      at += 2;
    }
    if (top !== 2) {
      cursor.at = at;
      const inlineLength = top === 0 ? null : readLength(bytes, cursor);
      at = cursor.at + (inlineLength ?? 32);
      const isVisited = way.own === 'after' || (way.own === 'at' && inclusive);
      if (isVisited && !visit(buffer.key(here >> 1), inlineLength)) return false;
    }
    return scanChildren(bytes, at, end, bitmap, here, way);
  };
  const { bytes, at, end } = find(root, 0);
  scan(bytes, at, end, 0, true);
};
