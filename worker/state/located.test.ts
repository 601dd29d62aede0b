import { blake2b } from '@noble/hashes/blake2.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesToKey } from '../bytes/bytes.ts';
import { type MissingNode, MissingNodes } from '../trie/missing-nodes.ts';
import { createNodeMap, type NodeMap } from '../trie/node-source.ts';
import type { Change, StateVersion } from '../trie/trie.ts';
import { type Backend, createBackend, createEmptyBackend } from './backend.ts';

const blake2b256 = (data: Uint8Array): Uint8Array => blake2b(data, { dkLen: 32 });

type Pairs = readonly (readonly [Uint8Array, Uint8Array])[];

/** The whole state, and the same root over an empty source that is filled by proofs. */
const openStates = (
  main: Pairs,
  children: readonly (readonly [Uint8Array, Pairs])[],
  version: StateVersion,
) => {
  const all = createNodeMap();
  const empty = createEmptyBackend({ blake2b256, source: all });
  const { backend: whole, nodes } = empty.commit({ main, children, offchain: [] }, version);
  all.add(nodes);
  const known = createNodeMap();
  return { whole: createBackend({ blake2b256, source: all }, whole.root), known, all };
};

/** The proof that the whole state gives for the place of a missing node. */
const proofOf = (whole: Backend, { child, key }: MissingNode): readonly Uint8Array[] => {
  const wanted = [key ?? new Uint8Array()];
  return child == null ? whole.prove(wanted) : whole.proveChild(child, wanted);
};

/** Repeats a read; what it misses is loaded only from proofs of the places that the miss names. */
const readByProofs = <T>(whole: Backend, known: NodeMap, read: () => T): T => {
  for (let round = 0; round < 10_000; round++) {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof MissingNodes)) throw error;
      for (const node of error.nodes) {
        const proof = new Map(proofOf(whole, node).map((bytes) => [bytesToKey(blake2b256(bytes)), bytes]));
        const bytes = proof.get(bytesToKey(node.hash));
        expect(bytes, 'the proof of the named place contains the node').toBeDefined();
        // Only this node, so that each further one has to be located as well.
        known.add([[node.hash, bytes as Uint8Array]]);
      }
    }
  }
  throw new Error('the read never ended');
};

const key = fc.uint8Array({ minLength: 1, maxLength: 3 }).map((bytes) => bytes.map((byte) => byte & 0x11));
const value = fc.uint8Array({ minLength: 26, maxLength: 40 });
const pairs = fc
  .array(fc.tuple(key, value), { maxLength: 40 })
  .map((list) => [...new Map(list.map((pair) => [bytesToKey(pair[0]), pair] as const)).values()]);
const name = fc.constantFrom(Uint8Array.of(1), Uint8Array.of(1, 2));
const version = fc.constantFrom<StateVersion>(0, 1);
const children = fc
  .uniqueArray(fc.tuple(name, pairs), { selector: ([id]) => bytesToKey(id), maxLength: 2 })
  .map((list) => list.filter(([, own]) => own.length > 0));
const changes = fc
  .array(fc.tuple(key, fc.option(value, { freq: 1 })), { maxLength: 20 })
  .map((list): Change[] => [...new Map(list.map((one) => [bytesToKey(one[0]), one] as const)).values()]);

const keysOf = (walk: (visit: (key: Uint8Array) => boolean) => void): Uint8Array[] => {
  const keys: Uint8Array[] = [];
  walk((at) => keys.push(at) > 0);
  return keys;
};

describe('places of missing nodes', () => {
  it('are on the path of the key that each miss names, for every kind of read', () => {
    fc.assert(
      fc.property(pairs, children, version, key, changes, changes, (main, kids, v, at, edit, childEdit) => {
        const { whole } = openStates(main, kids, v);
        const isSame = (read: (backend: Backend) => unknown): void => {
          const expected = read(whole);
          const known = createNodeMap();
          const backend = createBackend({ blake2b256, source: known }, whole.root);
          expect(readByProofs(whole, known, () => read(backend))).toEqual(expected);
        };
        isSame((backend) => backend.get(at));
        isSame((backend) => backend.exists(at));
        isSame((backend) => backend.valueHash(at));
        isSame((backend) => backend.nextKey(at));
        isSame((backend) =>
          keysOf((visit) =>
            backend.visitKeys({ prefix: at.subarray(0, 1), start: null, inclusive: true }, visit),
          ),
        );
        isSame((backend) =>
          keysOf((visit) =>
            backend.visitKeys({ prefix: new Uint8Array(), start: at, inclusive: false }, visit),
          ),
        );
        isSame((backend) => backend.prove([at, Uint8Array.of(0x10)]));
        isSame((backend) => backend.closestMerkleValue(at));
        for (const [id] of kids) {
          isSame((backend) => backend.childGet(id, at));
          isSame((backend) => backend.childNextKey(id, at));
          isSame((backend) => backend.proveChild(id, [at]));
          isSame((backend) =>
            keysOf((visit) =>
              backend.childVisitKeys(id, { prefix: new Uint8Array(), start: null, inclusive: true }, visit),
            ),
          );
          isSame((backend) => backend.childRootAfter(id, childEdit, v));
        }
        const written = { main: edit, children: kids.map(([id]) => [id, childEdit] as const), offchain: [] };
        isSame((backend) => backend.commit(written, v).backend.root);
      }),
      { numRuns: 150 },
    );
  });

  it('are named by a walk over what two states do not share', () => {
    fc.assert(
      fc.property(pairs, changes, version, (main, edit, v) => {
        const { whole, all, known } = openStates(main, [], v);
        const next = whole.commit({ main: edit, children: [], offchain: [] }, v);
        all.add(next.nodes);
        const own = next.nodes;
        known.add(own);
        const list = (from: Backend, to: Backend): Uint8Array[] =>
          keysOf((visit) =>
            to.visitKeys(
              { prefix: new Uint8Array(), start: null, inclusive: true, unlike: from.trieOf(null) },
              visit,
            ),
          );
        const ofNext = (source: NodeMap): Backend => createBackend({ blake2b256, source }, next.backend.root);
        const before = createBackend({ blake2b256, source: known }, whole.root);
        const found = readByProofs(whole, known, () => list(before, ofNext(known)));
        expect(found).toEqual(list(whole, ofNext(all)));
      }),
      { numRuns: 150 },
    );
  });
});
