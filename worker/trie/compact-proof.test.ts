import { blake2b } from '@noble/hashes/blake2.js';
import { expect, it } from 'vitest';
import { bytesToKey } from '../bytes/bytes.ts';
import { compactNodes } from './compact-proof.ts';
import { baseReference, createLeaf, decodeNode, encodeNode, hashedValue, slotsOf } from './node-codec.ts';
import { createNodeMap, createProofSource } from './node-source.ts';
import { createProofRecorder } from './proof-recorder.ts';
import { recordTrie } from './recorded-trie.ts';
import { createTrie, emptyRoot } from './trie.ts';

const hash = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });
const digest = (seed: number): Uint8Array => hash(Uint8Array.of(seed & 255, seed >> 8));

/** Keys with short, long and shared values. */
const changes = Array.from({ length: 300 }, (_, index) => {
  const key = digest(index).slice(0, 3 + (index % 5));
  const value = index % 4 === 0 ? digest(7) : digest(index).slice(0, index % 33);
  return [key, index % 4 === 1 ? new Uint8Array(40).fill(index % 6) : value] as const;
});

/** Expands a compact proof: returns its nodes, values and root. */
const expand = (entries: readonly Uint8Array[]): { found: Set<string>; root: Uint8Array } => {
  const found = new Set<string>();
  let at = 0;
  const next = (): Uint8Array => {
    const entry = entries[at++] as Uint8Array;
    const hasValue = entry[0] === 1;
    const node = decodeNode(hasValue ? entry.subarray(1) : entry);
    if (hasValue) {
      const value = entries[at++] as Uint8Array;
      node.valueKind = hashedValue;
      node.valueHash = hash(value);
      found.add(bytesToKey(value));
    }
    for (let slot = 0; slot < 16; slot++) {
      if (((node.bitmap >> slot) & 1) === 0 || baseReference(node, slot).length > 0) continue;
      const encoded = next();
      slotsOf(node)[slot] = { ...createLeaf(1, encoded, 0, 0), encoded, hash: hash(encoded) };
    }
    const encoded = encodeNode(node);
    found.add(bytesToKey(encoded));
    return encoded;
  };
  const root = next();
  expect(at).toBe(entries.length);
  return { found, root: hash(root) };
};

it('a compact proof contains the nodes of the full one, in fewer bytes', () => {
  const empty = createTrie({ blake2b256: hash, source: createNodeMap() }, emptyRoot(hash));
  const full = empty.apply(changes, 1);
  full.root();
  const nodes = createNodeMap(full.collectNew());
  for (const count of [1, 7, 60, changes.length]) {
    const keys = changes.slice(0, count).map(([key]) => key);
    const recorder = createProofRecorder();
    const trie = recordTrie(createTrie({ blake2b256: hash, source: nodes }, full.root()), recorder);
    for (const key of keys) trie.get(key);
    const witness = recorder.nodes();
    expect(new Set(witness.map(bytesToKey))).toEqual(new Set(full.prove(keys).map(bytesToKey)));
    const compact = compactNodes(createProofSource(hash, witness), full.root());
    const { found, root } = expand(compact);
    expect(root).toEqual(full.root());
    expect(found).toEqual(new Set(witness.map(bytesToKey)));
    const size = (list: readonly Uint8Array[]): number => list.reduce((sum, one) => sum + one.length, 0);
    expect(size(compact)).toBeLessThan(size(witness) + 1);
  }
});
