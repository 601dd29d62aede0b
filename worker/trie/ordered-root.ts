import { equalBytes } from '../bytes/bytes.ts';
import { Writer } from '../bytes/writer.ts';
import { emptySource, type Hash256 } from './node-source.ts';
import { createTrie, emptyRoot, type StateVersion } from './trie.ts';

/** The root over key-value pairs (`trie_*_root` host functions, genesis). */
export const trieRoot = (
  hash: Hash256,
  pairs: readonly (readonly [Uint8Array, Uint8Array])[],
  version: StateVersion,
): Uint8Array =>
  createTrie({ blake2b256: hash, source: emptySource }, emptyRoot(hash)).apply(pairs, version).root();

/** The root over a list. Each key is the compact index (sp-runtime, `traits::Hash::ordered_trie_root`). */
export const orderedRoot = (hash: Hash256, items: readonly Uint8Array[], version: StateVersion): Uint8Array =>
  trieRoot(
    hash,
    items.map((item, index) => [new Writer(4).compact(index).finish(), item] as const),
    version,
  );

/** A list whose blake2b-256 root was already computed. */
export type KnownRoot = {
  /** The list as `Vec<Vec<u8>>`, as a runtime passes it. */
  readonly list: Uint8Array;
  readonly version: StateVersion;
  readonly root: Uint8Array;
};

export const knowRoot = (hash: Hash256, items: readonly Uint8Array[], version: StateVersion): KnownRoot => {
  const writer = new Writer(256).compact(items.length);
  for (const item of items) writer.vecBytes(item);
  return { list: writer.finish(), version, root: orderedRoot(hash, items, version) };
};

/** Whether it is the root of exactly this list. */
export const isRootOf = (known: KnownRoot, list: Uint8Array, version: StateVersion): boolean =>
  known.version === version && equalBytes(known.list, list);
