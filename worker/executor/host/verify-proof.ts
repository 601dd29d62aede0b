import { equalBytes, startsWithBytes } from '../../bytes/bytes.ts';
import { nibbleAt } from '../../trie/nibbles.ts';
import {
  baseReference,
  decodeNode,
  encodeNode,
  hashedValue,
  inlineValue,
  noValue,
  slotsOf,
  type TrieNode,
} from '../../trie/node-codec.ts';
import type { StateVersion } from '../../trie/trie.ts';

/** Values of this length or more are stored under their hash in version 1. */
const hashedFrom = 33;

type Hash = (data: Uint8Array) => Uint8Array;

/** A node above the current one, with the slot that leads to the current one. */
type Above = { readonly node: TrieNode; readonly slot: number; readonly isInline: boolean };

/** The claim to verify: the trie with this root has this value at this key. */
export type ProofClaim = {
  readonly root: Uint8Array;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly version: StateVersion;
};

/**
 * Decodes a node at the start of the bytes like sp-trie: it must have its canonical encoding, and trailing
 * bytes are ignored. Null if there is none.
 */
const tryNode = (bytes: Uint8Array): TrieNode | null => {
  try {
    const node = decodeNode(bytes, true);
    return startsWithBytes(bytes, encodeNode(node)) ? node : null;
  } catch {
    return null;
  }
};

/** The position after the node's partial key, in nibbles; null if the key diverges. */
const placeBehind = (node: TrieNode, key: Uint8Array, from: number): number | null => {
  const end = from + node.partialCount;
  if (end > 2 * key.length) return null;
  for (let at = from; at < end; at++)
    if (nibbleAt(key, at) !== nibbleAt(node.partial, node.partialStart + at - from)) return null;
  return end;
};

/** Inserts the claimed value where the proof omits it; false if the proof does not omit it. */
const insertValue = (hash: Hash, node: TrieNode, { value, version }: ProofClaim): boolean => {
  const isLeftOut =
    node.bitmap === 0
      ? node.valueKind === inlineValue && (node.value as Uint8Array).length === 0
      : node.valueKind === noValue;
  const isHashed = version === 1 && value.length >= hashedFrom;
  node.valueKind = isHashed ? hashedValue : inlineValue;
  if (isHashed) node.valueHash = hash(value);
  else node.value = value;
  return isLeftOut;
};

/**
 * The root computed from the last node of the path and those above it; null if an inline node is too long.
 */
const rootAbove = (hash: Hash, last: TrieNode, isInline: boolean, above: Above[]): Uint8Array | null => {
  let encoded = encodeNode(last);
  let inline = isInline;
  for (let parent = above.pop(); parent !== undefined; parent = above.pop()) {
    const reference = inline ? encoded : hash(encoded);
    if (reference.length > 32) return null;
    const { node, slot } = parent;
    // A parent only contains a reference to its child.
    slotsOf(node)[slot] = { ...node, encoded: reference, hash: reference };
    encoded = encodeNode(node);
    inline = parent.isInline;
  }
  return hash(encoded);
};

/**
 * Verifies a compact proof of one value (trie-db 0.32, `proof::verify_proof`): the nodes from the root to the
 * key in order, each without its reference to the next, and the last without the value.
 */
export const verifyProof = (hash: Hash, proof: readonly Uint8Array[], claim: ProofClaim): boolean => {
  const { key } = claim;
  const above: Above[] = [];
  let taken = 0;
  let bytes = proof[taken++];
  let isInline = false;
  let from = 0;
  for (;;) {
    const node = bytes === undefined ? null : tryNode(bytes);
    const place = node === null ? null : placeBehind(node, key, from);
    if (node === null || place === null) return false;
    if (place === 2 * key.length) {
      if (!insertValue(hash, node, claim) || taken !== proof.length) return false;
      const root = rootAbove(hash, node, isInline, above);
      return root !== null && equalBytes(root, claim.root);
    }
    const slot = nibbleAt(key, place);
    if (((node.bitmap >> slot) & 1) === 0) return false;
    const reference = baseReference(node, slot);
    // The proof must omit the reference, so that the child follows as a separate node, or inline the child.
    if (reference.length === 32) return false;
    above.push({ node, slot, isInline });
    isInline = reference.length > 0;
    bytes = isInline ? reference : proof[taken++];
    from = place + 1;
  }
};
