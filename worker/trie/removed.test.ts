import { blake2b } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { concatBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { createNodeCache } from './node-cache.ts';
import { baseReference, decodeNode, hashedValue } from './node-codec.ts';
import { createNodeMap, type NodeMap, type NodeSource } from './node-source.ts';
import { type Change, createTrie, emptyRoot, type StateVersion, type Trie } from './trie.ts';

const hash = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });
const empty = emptyRoot(hash);

/** How often each stored node and value occurs in a state, counted by a full walk. */
const countPlaces = (nodes: NodeMap, root: Uint8Array): Map<string, number> => {
  const counts = new Map<string, number>();
  const add = (name: Uint8Array): void =>
    void counts.set(bytesToHex(name), (counts.get(bytesToHex(name)) ?? 0) + 1);
  const walk = (encoded: Uint8Array): void => {
    const node = decodeNode(encoded);
    if (node.valueKind === hashedValue) add(node.valueHash as Uint8Array);
    for (let slot = 0; slot < 16; slot++) {
      if (((node.bitmap >> slot) & 1) === 0) continue;
      const reference = baseReference(node, slot);
      if (reference.length === 32) add(reference);
      walk(reference.length === 32 ? (nodes.getNode(reference) as Uint8Array) : reference);
    }
  };
  if (bytesToHex(root) === bytesToHex(empty)) return counts;
  add(root);
  walk(nodes.getNode(root) as Uint8Array);
  return counts;
};

const keys = fc.oneof(
  // Leaves under different branches that have the same encoding.
  fc.tuple(fc.nat(5), fc.nat(3)).map(([first, last]) => {
    const tail = new Uint8Array(34).fill(7);
    tail[33] = last;
    return concatBytes(Uint8Array.of(first * 17), tail);
  }),
  fc.array(fc.constantFrom(0x00, 0x01, 0x10, 0xff), { maxLength: 4 }).map((bytes) => Uint8Array.from(bytes)),
);
const values = fc.oneof(
  fc.constantFrom(1, 2, 40, 50).map((length) => new Uint8Array(length).fill(1)),
  fc.uint8Array({ minLength: 30, maxLength: 36 }),
);
const changes = fc.array(fc.tuple(keys, fc.option(values, { freq: 2 })), { maxLength: 14, size: 'max' });
/** Several edits per commit, as when an author prepares the root. */
const commits = fc.array(
  fc.record({
    edits: fc.array(changes, { minLength: 1, maxLength: 3, size: 'max' }),
    version: fc.constantFrom<StateVersion>(0, 1),
    isReopened: fc.boolean(),
  }),
  { minLength: 1, maxLength: 8, size: 'max' },
);

describe('the nodes that an edit removes from a trie', () => {
  it('are the difference between the states before and after, counted by place', () => {
    fc.assert(
      fc.property(commits, fc.constantFrom(2_000, 1_000_000), (list, cacheBytes) => {
        const nodes = createNodeMap();
        const source: NodeSource = { getNode: nodes.getNode, cache: createNodeCache(cacheBytes) };
        const open = (root: Uint8Array): Trie => createTrie({ blake2b256: hash, source }, root);
        let trie = open(empty);
        for (const { edits, version, isReopened } of list) {
          const before = countPlaces(nodes, trie.root());
          let next = trie;
          for (const edit of edits) next = next.apply(edit as Change[], version);
          next.root();
          nodes.add(next.collectNew());
          const expected = countPlaces(nodes, next.root());
          for (const [name] of next.collectNew())
            before.set(bytesToHex(name), (before.get(bytesToHex(name)) ?? 0) + 1);
          for (const name of next.collectRemoved())
            before.set(bytesToHex(name), (before.get(bytesToHex(name)) ?? 0) - 1);
          for (const [name, count] of before) if (count === 0) before.delete(name);
          expect(before).toEqual(expected);
          trie = isReopened ? open(next.root()) : next.settled();
        }
      }),
      { numRuns: 400, seed: 15 },
    );
  });
});
