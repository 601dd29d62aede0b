import { equalBytes } from '../bytes/bytes.ts';
import type { ProofRequest } from '../chain/origin.ts';
import { decodeHeader, type Header } from '../codec/header.ts';
import { childKey } from '../state/backend.ts';
import { MissingNodes } from '../trie/missing-nodes.ts';
import { createProofSource, type Hash256, type NodeSource } from '../trie/node-source.ts';
import { orderedRoot } from '../trie/ordered-root.ts';
import { createTrie } from '../trie/trie.ts';
import { bad, good, type Outcome } from './problem.ts';

/** The header that an endpoint sent for a hash. */
export const checkHeader = (hash256: Hash256, hash: Uint8Array, encoded: Uint8Array): Outcome<Header> => {
  if (!equalBytes(hash256(encoded), hash)) return bad('lied', 'sent another header');
  return good(decodeHeader(encoded));
};

/** Which of the two trie versions made a root depends on the runtime (sp-version, `extrinsics_root_state_version`). */
export const checkBody = (hash256: Hash256, header: Header, extrinsics: readonly Uint8Array[]): boolean =>
  equalBytes(orderedRoot(hash256, extrinsics, 0), header.extrinsicsRoot) ||
  equalBytes(orderedRoot(hash256, extrinsics, 1), header.extrinsicsRoot);

const proveKeys = (
  hash256: Hash256,
  source: NodeSource,
  root: Uint8Array,
  { child, keys }: ProofRequest,
): Uint8Array[] => {
  const deps = { blake2b256: hash256, source };
  const main = createTrie(deps, root);
  if (child === null) return main.prove(keys);
  const key = childKey(child);
  const childRoot = main.get(key);
  const way = main.prove([key]);
  return childRoot?.length === 32 ? [...way, ...createTrie(deps, childRoot).prove(keys)] : way;
};

/**
 * The nodes of a proof that lie on the way to the keys: all of them, or the endpoint has lied. What else it sent is
 * dropped.
 */
export const checkProof = (
  hash256: Hash256,
  root: Uint8Array,
  request: ProofRequest,
  proof: readonly Uint8Array[],
): Outcome<Uint8Array[]> => {
  const source = createProofSource(hash256, proof);
  try {
    return good(proveKeys(hash256, source, root, request));
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
