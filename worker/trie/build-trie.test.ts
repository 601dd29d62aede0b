import { blake2b } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToKey, compareBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { buildTrie, createNodeList, type SortedPairs } from './build-trie.ts';
import type { StateVersion } from './node-codec.ts';
import { openPacked } from './node-pack.ts';
import { emptySource, type NodeBatch } from './node-source.ts';
import { createTrie, emptyRoot } from './trie.ts';

const hash = (bytes: Uint8Array): Uint8Array => blake2b(bytes, { dkLen: 32 });

const listed = (nodes: NodeBatch): string[] =>
  nodes.map(([name, bytes]) => `${bytesToHex(name)} ${bytesToHex(bytes)}`).sort();

const build = (pairs: SortedPairs, version: StateVersion) => {
  const list = createNodeList(hash);
  const root = buildTrie(hash, pairs, version, list);
  return { root: bytesToHex(root), nodes: openPacked(list.finish()) };
};

/** Few different bytes, so that keys share beginnings and some are the beginning of others. */
const key = fc.oneof(
  fc.uint8Array({ max: 3, maxLength: 6 }),
  fc.uint8Array({ minLength: 30, maxLength: 34 }),
  fc.uint8Array({ max: 1, minLength: 150, maxLength: 330 }),
);
const value = fc.oneof(
  fc.uint8Array({ maxLength: 4 }),
  fc.uint8Array({ minLength: 31, maxLength: 34 }),
  fc.uint8Array({ minLength: 60, maxLength: 70 }),
);

describe('a trie built from sorted pairs', () => {
  it('has the root and the nodes of the one that is built key by key', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(key, value), { maxLength: 60 }),
        fc.constantFrom(0 as const, 1 as const),
        (all, version) => {
          const distinct = [...new Map(all.map((pair) => [bytesToKey(pair[0]), pair])).values()];
          const pairs = distinct.sort((a, b) => compareBytes(a[0], b[0]));
          const edited = createTrie({ blake2b256: hash, source: emptySource }, emptyRoot(hash)).apply(
            pairs,
            version,
          );
          const { root, nodes } = build(pairs, version);
          expect(root).toBe(bytesToHex(edited.root()));
          const found = Array.from({ length: nodes.length }, (_, at) => nodes.at(at));
          expect(listed(found)).toEqual(listed(edited.collectNew()));
          for (const [name, bytes] of found) expect(nodes.find(bytesToKey(name))).toEqual(bytes);
          expect(nodes.find(bytesToKey(hash(Uint8Array.of(1, 2, 3, version))))).toBeUndefined();
        },
      ),
      { numRuns: 400 },
    );
  });

  it('a value of more than 16 kB has a length of four bytes', () => {
    const pairs = [[Uint8Array.of(1), new Uint8Array(0x4000)]] as const;
    const edited = createTrie({ blake2b256: hash, source: emptySource }, emptyRoot(hash)).apply(pairs, 0);
    expect(build(pairs, 0).root).toBe(bytesToHex(edited.root()));
  });
});
