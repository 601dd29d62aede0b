import { bytesToKey } from '../../bytes/bytes.ts';
import { childKey } from '../../state/backend.ts';
import { buildTrie, createNodeList } from '../../trie/build-trie.ts';
import type { StateVersion } from '../../trie/node-codec.ts';
import { listNodes, openPacked } from '../../trie/node-pack.ts';
import type { Hash256 } from '../../trie/node-source.ts';
import { sortPairs } from '../../trie/sort-pairs.ts';
import type { NewNodes } from '../states/journals.ts';
import type { RawState } from './spec.ts';

/** From this size on, nodes are stored in one array. Smaller genesis states are stored as other blocks are. */
const packedFrom = 1024 * 1024;

/** The state of a raw specification, whose child tries give their roots to the main trie. */
export const buildRawState = (
  hash: Hash256,
  { top, children }: RawState,
  version: StateVersion,
): { readonly stateRoot: Uint8Array; readonly nodes: NewNodes } => {
  const list = createNodeList(hash);
  const named = new Map(children.map((child) => [bytesToKey(child[0]), child]));
  const roots: [Uint8Array, Uint8Array][] = [];
  const empty = new Set<string>();
  for (const [name, pairs] of named.values()) {
    const key = childKey(name);
    if (pairs.length === 0) empty.add(bytesToKey(key));
    else roots.push([key, buildTrie(hash, sortPairs(pairs), version, list)]);
  }
  const main = empty.size === 0 ? top : top.filter(([key]) => !empty.has(bytesToKey(key)));
  const all = roots.length === 0 ? main : [...main, ...roots];
  const stateRoot = buildTrie(hash, sortPairs(all), version, list);
  const record = list.finish();
  const packed = openPacked(record);
  return {
    stateRoot,
    nodes: record.length < packedFrom ? listNodes(packed) : packed,
  };
};
