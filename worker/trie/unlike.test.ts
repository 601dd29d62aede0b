import { blake2b } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToKey } from '../bytes/bytes.ts';
import { createNodeMap, type NodeSource } from './node-source.ts';
import { type Change, createTrie, emptyRoot, type StateVersion, type Trie } from './trie.ts';

const blake2b256 = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });

const create = () => {
  const source = createNodeMap();
  let reads = 0;
  const counted: NodeSource = {
    getNode: (hash) => {
      reads++;
      return source.getNode(hash);
    },
  };
  const deps = { blake2b256, source: counted };
  return {
    reads: () => reads,
    /** The trie after the changes, as created by its author. Stores its nodes. */
    grow: (from: Trie | null, changes: readonly Change[], version: StateVersion): Trie => {
      const next = (from ?? createTrie(deps, emptyRoot(blake2b256))).apply(changes, version);
      source.add(next.collectNew());
      return next.settled();
    },
    /** The same trie read back from its nodes. */
    reopen: (trie: Trie): Trie => createTrie(deps, trie.root()),
  };
};

type Range = { readonly prefix: Uint8Array; readonly start: Uint8Array | null };

const valuesOf = (trie: Trie, range: Range, unlike: Trie | null): Map<string, string> => {
  const values = new Map<string, string>();
  trie.visitKeys({ ...range, inclusive: false, unlike }, (key) => {
    values.set(bytesToKey(key), bytesToKey(trie.valueHash(key) as Uint8Array));
    return true;
  });
  return values;
};

/** Keys that are only in one of the two, or have different values. */
const differing = (old: Map<string, string>, now: Map<string, string>): string[] =>
  [...new Set([...old.keys(), ...now.keys()])].filter((key) => old.get(key) !== now.get(key)).sort();

// Keys that are often prefixes of one another, so that subtrees are split, merged and moved.
const keys = fc
  .uint8Array({ min: 0, max: 255, maxLength: 4 })
  .map((bytes) => bytes.map((byte) => byte & 0x11));
// Few values, one of them long, so that equal subtrees occur at different places.
const values = fc.constantFrom(Uint8Array.of(1), new Uint8Array(40));
const writes = fc.array(fc.tuple(keys, values), { maxLength: 12 });
const changes = fc.array(fc.tuple(keys, fc.option(values)), { maxLength: 6 });

const at = (...bytes: number[]): [Uint8Array, Uint8Array] => [Uint8Array.from(bytes), Uint8Array.of(1)];
const whole: Range = { prefix: new Uint8Array(), start: null };
/** The same two leaves below nodes whose keys have a common prefix. */
const shifted: [Change[], Change[], StateVersion, StateVersion, Range, string] = [
  [at(0x10), at(0x11)],
  [at(0x11, 0x10), at(0x11, 0x11)],
  0,
  0,
  whole,
  'of its own',
];

describe('a walk alongside another trie', () => {
  it('skips nothing that differs, and the same on both sides', () => {
    const versions = fc.constantFrom<StateVersion[]>(0, 1);
    const range = fc.record({ prefix: keys.map((key) => key.slice(0, 2)), start: fc.option(keys) });
    const ways = fc.constantFrom('as grown', 'as read', 'of its own');
    fc.assert(
      fc.property(
        writes,
        changes,
        versions,
        versions,
        range,
        ways,
        (base, edits, first, second, under, way) => {
          const { grow, reopen } = create();
          const grown = grow(null, base, first);
          const changed = grow(way === 'of its own' ? null : grown, edits, second);
          const [old, now] = way !== 'as grown' ? [reopen(grown), reopen(changed)] : [grown, changed];
          const expected = differing(valuesOf(grown, under, null), valuesOf(changed, under, null));
          const [left, gone] = [valuesOf(now, under, old), valuesOf(old, under, now)];
          expect(differing(gone, left)).toEqual(expected);
        },
      ),
      { numRuns: 5000, examples: [shifted] },
    );
  });

  it('loads little more than the paths to the differences', () => {
    const { grow, reopen, reads } = create();
    const big: Change[] = Array.from({ length: 5000 }, (_, i) => [
      blake2b256(Uint8Array.of(i & 255, i >> 8)),
      new Uint8Array(40).fill(i),
    ]);
    const grown = grow(null, big, 1);
    const key = (big[77] as Change)[0];
    const [old, now] = [reopen(grown), reopen(grow(grown, [[key, Uint8Array.of(1)]], 1))];
    const before = reads();
    expect([...valuesOf(now, whole, old).keys()]).toEqual([bytesToKey(key)]);
    expect([...valuesOf(old, whole, now).keys()]).toEqual([bytesToKey(key)]);
    expect(reads() - before).toBeLessThan(20);
    expect(valuesOf(now, whole, reopen(now)).size).toBe(0);
    expect(valuesOf(now, whole, null).size).toBe(5000);
  });
});
