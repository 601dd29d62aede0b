import { bytesToKey } from '../bytes/bytes.ts';

/**
 * Thrown when a read needs trie nodes that are not in memory (DESIGN §4 State); load them and run again.
 * It is thrown through Wasm frames on a hot path, so it carries no stack.
 */
export class MissingNodes extends Error {
  readonly hashes: readonly Uint8Array[];
  /** The one read that missed, to be tried until its whole path is loaded; null when only the nodes are known. */
  again: (() => unknown) | null = null;
  constructor(hashes: readonly Uint8Array[]) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super('Trie nodes are not in memory');
    Error.stackTraceLimit = limit;
    this.name = 'MissingNodes';
    this.hashes = hashes;
  }
}

/** Takes a step for each item; those that miss, and the nodes they miss. */
export const tryAll = <T>(
  items: readonly T[],
  step: (item: T) => void,
): { readonly left: readonly T[]; readonly missing: readonly Uint8Array[] } => {
  const missing = new Map<string, Uint8Array>();
  const left: T[] = [];
  for (const item of items) {
    try {
      step(item);
    } catch (error) {
      if (!(error instanceof MissingNodes)) throw error;
      left.push(item);
      for (const hash of error.hashes) missing.set(bytesToKey(hash), hash);
    }
  }
  return { left, missing: [...missing.values()] };
};

/** The same; throws one `MissingNodes` for all. */
export const stepAll = <T>(items: readonly T[], step: (item: T) => void): void => {
  const { missing } = tryAll(items, step);
  if (missing.length > 0) throw new MissingNodes(missing);
};
