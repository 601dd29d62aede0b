import { compareBytes } from '../bytes/bytes.ts';
import type { Change } from '../trie/trie.ts';

/**
 * The changes of a block or call, each list sorted by bytes. Children are named without
 * `:child_storage:default:`.
 */
export type StorageChanges = {
  readonly main: readonly Change[];
  readonly children: readonly (readonly [name: Uint8Array, changes: readonly Change[]])[];
  /** Offchain index writes, applied to the offchain database when the block is imported (sp-io, `offchain_index`). */
  readonly offchain: readonly Change[];
};

/** Changes of the main trie alone, for genesis and tests. */
export const mainChanges = (pairs: readonly Change[]): StorageChanges => ({
  main: [...pairs].sort(([a], [b]) => compareBytes(a, b)),
  children: [],
  offchain: [],
});
