import { bytesToKey } from '../bytes/bytes.ts';
import type { NodeSource } from './node-source.ts';

/** A node or hashed value that is not in memory, and where it lies, for a source that is asked by key. */
export type MissingNode = {
  readonly hash: Uint8Array;
  /** A key, perhaps of no value, whose proof contains the node. Null: not known. */
  key: Uint8Array | null;
  /** The name of the child trie it belongs to, null for the main trie. Undefined: not known. */
  child: Uint8Array | null | undefined;
  /** Of a walk, which will need the nodes behind it next: no key below this one is left to visit. Null: no walk. */
  readonly from: Uint8Array | null;
  /** The hash of the block whose state it is missing in. Null: of the state that the store was opened for. */
  readonly at: Uint8Array | null;
};

export const missingNode = (
  hash: Uint8Array,
  key: Uint8Array | null = null,
  source: Pick<NodeSource, 'at'> = {},
): MissingNode => ({ hash, key, child: undefined, from: null, at: source.at ?? null });

/**
 * Thrown if a read needs trie nodes that are not in memory. Load them and retry. Not an
 * `Error`: one with a stack takes six times as long to throw through Wasm frames, and it is never shown.
 */
export class MissingNodes {
  readonly nodes: readonly MissingNode[];
  /**
   * The read that missed, to be repeated until its whole path is loaded. Null if only the nodes are known.
   */
  again: (() => unknown) | null = null;
  constructor(nodes: readonly MissingNode[]) {
    this.nodes = nodes;
  }
}

/**
 * Adds to a miss on its way up what its thrower did not know: a key on whose path the nodes lie, or the child trie. Does
 * nothing to other errors.
 */
export const locateMiss = (
  error: unknown,
  key: Uint8Array | null,
  child: Uint8Array | null | undefined = undefined,
): void => {
  if (!(error instanceof MissingNodes)) return;
  for (const node of error.nodes) {
    if (node.key === null && key !== null) node.key = key.slice();
    if (node.child === undefined && child !== undefined) node.child = child?.slice() ?? null;
  }
};

/** The same hash at several places is listed once for each place. */
const placeOf = ({ hash, key, child }: MissingNode): string =>
  `${bytesToKey(hash)}${key === null ? '' : bytesToKey(key)}/${child == null ? '' : bytesToKey(child)}`;

/** Runs each read. Returns the reads that miss, and the nodes they miss. */
export const tryAll = <T extends () => unknown>(
  reads: readonly T[],
): { readonly left: readonly T[]; readonly missing: readonly MissingNode[] } => {
  const missing = new Map<string, MissingNode>();
  const left = reads.filter((read) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof MissingNodes)) throw error;
      for (const node of error.nodes) missing.set(placeOf(node), node);
      return true;
    }
    return false;
  });
  return { left, missing: [...missing.values()] };
};

/**
 * Runs a step for each item, continuing past misses, and throws one `MissingNodes` for all of them. `keyOf` is the key on
 * whose path an item's nodes lie, unless its miss says otherwise.
 */
export const stepAll = <T>(
  items: readonly T[],
  step: (item: T) => void,
  keyOf: (item: T) => Uint8Array,
): void => {
  const { missing } = tryAll(
    items.map((item) => () => {
      try {
        step(item);
      } catch (error) {
        locateMiss(error, keyOf(item));
        throw error;
      }
    }),
  );
  if (missing.length > 0) throw new MissingNodes(missing);
};
