import { blake2b } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToKey } from '../bytes/bytes.ts';
import { createNodeCache } from './node-cache.ts';
import { createNodeMap, type NodeSource } from './node-source.ts';
import { type Change, createTrie, emptyRoot, type StateVersion, type Trie } from './trie.ts';

const blake2b256 = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });

/** Nodes by hash behind a cache with this limit; `reads` counts cache misses. */
const createSource = (limit: number) => {
  const nodes = createNodeMap();
  const cache = createNodeCache(limit);
  let reads = 0;
  const source: NodeSource = {
    cache,
    getNode: (hash) => {
      reads++;
      return nodes.getNode(hash);
    },
  };
  return { nodes, cache, source, reads: () => reads };
};

const keys = fc
  .uint8Array({ min: 0, max: 255, maxLength: 4 })
  .map((bytes) => bytes.map((byte) => byte & 0x33));
const values = fc.oneof(fc.uint8Array({ maxLength: 8 }), fc.uint8Array({ minLength: 33, maxLength: 60 }));
const changes = fc.array(fc.tuple(keys, fc.option(values)), { maxLength: 15 });
const version = fc.constantFrom<StateVersion[]>(0, 1);

const entriesOf = (trie: Trie, unlike: Trie | null): [string, string, number | null][] => {
  const out: [string, string, number | null][] = [];
  trie.visitKeys({ prefix: new Uint8Array(), start: null, inclusive: true, unlike }, (key, length) => {
    out.push([bytesToKey(key), bytesToKey(trie.get(key) as Uint8Array), length]);
    return true;
  });
  return out;
};

const manyChanges = (count: number): Change[] =>
  Array.from({ length: count }, (_, at) => [
    blake2b256(Uint8Array.of(at & 255, at >> 8)),
    new Uint8Array(40).fill(at),
  ]);

/** How much one node with sixteen short children may exceed a limit. */
const oneNode = 6000;

describe('tries over a cache of nodes', () => {
  it('have the same roots, values, walks and proofs as tries without one, however small it is', () => {
    const limit = fc.constantFrom(0, 1500, 4000, 1_000_000);
    const then = fc.constantFrom('reopen', 'cache and reopen', 'cache and go on');
    const blocks = fc.array(fc.tuple(changes, version, then), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(limit, blocks, fc.array(keys, { maxLength: 4 }), (bytes, edits, asked) => {
        const { nodes, cache, source } = createSource(bytes);
        const [plain, cached] = [nodes, source].map((from) => ({ blake2b256, source: from })) as [
          { blake2b256: typeof blake2b256; source: NodeSource },
          { blake2b256: typeof blake2b256; source: NodeSource },
        ];
        const roots = [emptyRoot(blake2b256)];
        let last = createTrie(cached, roots[0] as Uint8Array);
        for (const [edit, v, next] of edits) {
          const one = createTrie(plain, roots.at(-1) as Uint8Array).apply(edit, v);
          const other = last.apply(edit, v);
          expect(other.root()).toEqual(one.root());
          expect(other.collectNew()).toEqual(one.collectNew());
          expect(other.collectRemoved().map(bytesToKey).sort()).toEqual(
            one.collectRemoved().map(bytesToKey).sort(),
          );
          nodes.add(one.collectNew());
          roots.push(one.root());
          const settled = other.settled();
          if (next !== 'reopen') settled.cacheNew();
          last = next === 'cache and go on' ? settled : createTrie(cached, one.root());
          expect(cache.bytes()).toBeLessThanOrEqual(bytes + oneNode);
        }
        // Includes older states, one after another, so that they evict each other's nodes.
        for (const [at, root] of [...roots, ...roots].entries()) {
          const [one, other] = [createTrie(plain, root), createTrie(cached, root)];
          const before = roots[Math.max(0, (at % roots.length) - 1)] as Uint8Array;
          expect(entriesOf(other, null)).toEqual(entriesOf(one, null));
          expect(entriesOf(other, createTrie(cached, before))).toEqual(
            entriesOf(one, createTrie(plain, before)),
          );
          for (const key of asked) {
            expect(other.get(key)).toEqual(one.get(key));
            expect(other.nextKey(key)).toEqual(one.nextKey(key));
            expect(other.valueHash(key)).toEqual(one.valueHash(key));
            expect(other.closestMerkleValue(key)).toEqual(one.closestMerkleValue(key));
          }
          expect(other.prove(asked)).toEqual(one.prove(asked));
          expect(cache.bytes()).toBeLessThanOrEqual(bytes + oneNode);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('keep frequently used nodes, whatever is walked meanwhile', () => {
    const { nodes, cache, source, reads } = createSource(400_000);
    const grown = createTrie({ blake2b256, source: nodes }, emptyRoot(blake2b256)).apply(
      manyChanges(5000),
      1,
    );
    nodes.add(grown.collectNew());
    const hot = manyChanges(20).map(([key]) => key);
    const trie = createTrie({ blake2b256, source }, grown.root());
    const readHot = (): number => {
      const before = reads();
      for (const key of hot) trie.get(key);
      return reads() - before;
    };
    readHot();
    let again = 0;
    let seen = 0;
    trie.visitKeys({ prefix: new Uint8Array(), start: null, inclusive: true }, (key) => {
      trie.get(key);
      if (++seen % 100 === 0) again += readHot();
      return true;
    });
    expect(seen).toBe(5000);
    expect(cache.bytes()).toBeLessThanOrEqual(400_000 + oneNode);
    expect(reads()).toBeGreaterThan(5000);
    expect(again).toBeLessThan(50);
  });

  it('share nodes between states: the next one loads only changed nodes', () => {
    const { nodes, source, reads } = createSource(10_000_000);
    const all = manyChanges(1000);
    const first = createTrie({ blake2b256, source: nodes }, emptyRoot(blake2b256)).apply(all, 1);
    nodes.add(first.collectNew());
    const old = createTrie({ blake2b256, source }, first.root());
    for (const [key] of all) old.get(key);
    const edited = old.apply([[(all[7] as Change)[0], Uint8Array.of(1)]], 1);
    const added = edited.collectNew().slice();
    nodes.add(added);
    const before = reads();
    const now = createTrie({ blake2b256, source }, edited.root());
    for (const [key] of all) now.get(key);
    expect(reads() - before).toBeLessThanOrEqual(added.length);
  });

  it('do not read nodes again that a stored block created', () => {
    const { nodes, cache, source, reads } = createSource(10_000_000);
    const short = Array.from(
      { length: 300 },
      (_, at) => [Uint8Array.of(at >> 8, at & 255), Uint8Array.of(at & 255)] as const,
    );
    const long = manyChanges(1000).map(([key], at) => [key, new Uint8Array(200).fill(at)] as const);
    const all: Change[] = [...long, ...short];
    const created = createTrie({ blake2b256, source }, emptyRoot(blake2b256)).apply(all, 1);
    const added = created.collectNew();
    nodes.add(added);
    created.settled().cacheNew();
    const before = reads();
    const now = createTrie({ blake2b256, source }, created.root());
    for (const [key, value] of all) expect(now.get(key)).toEqual(value);
    expect(reads()).toBe(before);
    const loaded = createNodeCache(10_000_000);
    const other = createTrie({ blake2b256, source: { ...nodes, cache: loaded } }, created.root());
    for (const [key] of all) other.get(key);
    expect(cache.bytes()).toBeGreaterThanOrEqual(loaded.bytes());
    // The next state counts all of them as part of its base.
    expect(now.apply([[(all[7] as Change)[0], Uint8Array.of(1)]], 1).collectNew().length).toBeLessThan(10);
  });
});
