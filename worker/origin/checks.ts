import { bytesToKey, equalBytes } from '../bytes/bytes.ts';
import type { ProofRequest } from '../chain/origin.ts';
import { decodeHeader, type Header } from '../codec/header.ts';
import { childKey } from '../state/backend.ts';
import { type Pace, startPace } from '../tasks/pace.ts';
import { MissingNodes } from '../trie/missing-nodes.ts';
import { createNodeMap, type Hash256 } from '../trie/node-source.ts';
import { createTrie, type Trie, type TrieDeps } from '../trie/trie.ts';
import { bad, good, type Outcome } from './problem.ts';

/** The header that an endpoint sent for a hash. */
export const checkHeader = (hash256: Hash256, hash: Uint8Array, encoded: Uint8Array): Outcome<Header> => {
  if (!equalBytes(hash256(encoded), hash)) return bad('lied', 'sent another header');
  return good(decodeHeader(encoded));
};

/** Nodes and hashed values by their hashes, which are keys of a map (`bytesToKey`). */
export type Nodes = ReadonlyMap<string, Uint8Array>;

/** Keys that are looked up at a time. */
const keysInSlice = 50;

const hashAll = async (hash256: Hash256, proof: readonly Uint8Array[], pace: Pace) => {
  const hashes = new Map<Uint8Array, Uint8Array>();
  for (const node of proof) {
    hashes.set(node, hash256(node));
    await pace.pause();
  }
  return hashes;
};

/** The nodes on the way to the keys. Throws `MissingNodes`. */
const proveKeys = async (
  deps: TrieDeps,
  root: Uint8Array,
  { child, keys }: ProofRequest,
  pace: Pace,
): Promise<ReadonlySet<Uint8Array>> => {
  const found = new Set<Uint8Array>();
  const prove = async (trie: Trie, list: readonly Uint8Array[]): Promise<void> => {
    for (let from = 0; from < list.length; from += keysInSlice) {
      for (const node of trie.prove(list.slice(from, from + keysInSlice))) found.add(node);
      await pace.pause();
    }
  };
  const main = createTrie(deps, root);
  if (child === null) {
    await prove(main, keys);
    return found;
  }
  const key = childKey(child);
  const childRoot = main.get(key);
  await prove(main, [key]);
  if (childRoot?.length === 32) await prove(createTrie(deps, childRoot), keys);
  return found;
};

/**
 * The nodes of a proof that lie on the way to the keys: all of them, or the endpoint has lied. What else it sent is
 * dropped.
 */
export const checkProof = async (
  hash256: Hash256,
  root: Uint8Array,
  request: ProofRequest,
  proof: readonly Uint8Array[],
): Promise<Outcome<Nodes>> => {
  const pace = startPace();
  const hashes = await hashAll(hash256, proof, pace);
  const source = createNodeMap([...hashes].map(([node, hash]) => [hash, node] as const));
  try {
    const found = await proveKeys({ blake2b256: hash256, source }, root, request, pace);
    return good(new Map([...found].map((node) => [bytesToKey(hashes.get(node) ?? hash256(node)), node])));
  } catch (error) {
    if (!(error instanceof MissingNodes)) return bad('lied', 'sent a proof with nodes that do not decode');
    return bad(
      'lied',
      source.getNode(root) === null ? otherRoot : 'sent a proof that lacks nodes on the way to a key',
    );
  }
};

/** Also what a development node sends for a block whose state was edited. */
export const otherRoot = 'sent a proof of another state root';
