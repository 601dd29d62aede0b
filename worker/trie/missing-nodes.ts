import { bytesToKey } from '../bytes/bytes.ts';

/**
 * Thrown if a read needs trie nodes that are not in memory. Load them and retry. Not an
 * `Error`: one with a stack takes six times as long to throw through Wasm frames, and it is never shown.
 */
export class MissingNodes {
  readonly hashes: readonly Uint8Array[];
  /**
   * The read that missed, to be repeated until its whole path is loaded. Null if only the nodes are known.
   */
  again: (() => unknown) | null = null;
  constructor(hashes: readonly Uint8Array[]) {
    this.hashes = hashes;
  }
}

/** Runs each read. Returns the reads that miss, and the nodes they miss. */
export const tryAll = <T extends () => unknown>(
  reads: readonly T[],
): { readonly left: readonly T[]; readonly missing: readonly Uint8Array[] } => {
  const missing = new Map<string, Uint8Array>();
  const left = reads.filter((read) => {
    try {
      read();
    } catch (error) {
      if (!(error instanceof MissingNodes)) throw error;
      for (const hash of error.hashes) missing.set(bytesToKey(hash), hash);
      return true;
    }
    return false;
  });
  return { left, missing: [...missing.values()] };
};

/** Runs a step for each item, continuing past misses, and throws one `MissingNodes` for all of them. */
export const stepAll = <T>(items: readonly T[], step: (item: T) => void): void => {
  const { missing } = tryAll(items.map((item) => () => step(item)));
  if (missing.length > 0) throw new MissingNodes(missing);
};
