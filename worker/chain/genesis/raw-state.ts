import { bytesToKey, compareBytes, equalBytes } from '../../bytes/bytes.ts';
import { childKey } from '../../state/backend.ts';
import { buildTrie, createNodeList, type SortedPairs } from '../../trie/build-trie.ts';
import type { StateVersion } from '../../trie/node-codec.ts';
import type { Hash256 } from '../../trie/node-source.ts';
import { listNodes, openPacked } from '../../trie/packed-nodes.ts';
import type { NewNodes } from '../states/journals.ts';
import type { GenesisSource, Pairs } from './spec.ts';

/** From this size on, nodes are stored in one array. Smaller genesis states are stored as other blocks are. */
const packedFrom = 1024 * 1024;

const isSorted = (pairs: Pairs): boolean =>
  pairs.every(([key], at) => at === 0 || compareBytes((pairs[at - 1] as Pairs[number])[0], key) < 0);

/** In byte order; of equal keys the last one counts. The keys of specifications of the SDK already are in order. */
const sort = (pairs: Pairs): SortedPairs => {
  if (isSorted(pairs)) return pairs;
  return pairs
    .toSorted(([a], [b]) => compareBytes(a, b))
    .filter(([key], at, all) => {
      const next = all[at + 1];
      return next === undefined || !equalBytes(key, next[0]);
    });
};

type Raw = Extract<GenesisSource, { kind: 'raw' }>;

/** The state of a raw specification, whose child tries give their roots to the main trie. */
export const buildRawState = (
  hash: Hash256,
  { top, children }: Raw,
  version: StateVersion,
): { readonly stateRoot: Uint8Array; readonly nodes: NewNodes } => {
  const list = createNodeList(hash);
  const named = new Map(children.map((child) => [bytesToKey(child[0]), child]));
  const roots: [Uint8Array, Uint8Array][] = [];
  const empty = new Set<string>();
  for (const [name, pairs] of named.values()) {
    const key = childKey(name);
    if (pairs.length === 0) empty.add(bytesToKey(key));
    else roots.push([key, buildTrie(hash, sort(pairs), version, list)]);
  }
  const main = empty.size === 0 ? top : top.filter(([key]) => !empty.has(bytesToKey(key)));
  const stateRoot = buildTrie(hash, sort(roots.length === 0 ? main : [...main, ...roots]), version, list);
  const record = list.finish();
  const packed = openPacked(record);
  return {
    stateRoot,
    nodes: record.length < packedFrom ? listNodes(packed) : packed,
  };
};
