import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesToHex, type Hex } from '../bytes/hex.ts';
import { MissingNodes } from '../trie/missing-nodes.ts';
import { createNodeCache } from '../trie/node-cache.ts';
import { createProofRecorder } from '../trie/proof-recorder.ts';
import { type Backend, createBackend } from './backend.ts';
import { createModelExt } from './ext-model.fixture.ts';
import { createModelRecorder, hash, type Nodes } from './proof-model.fixture.ts';
import { callModel, callOverlay, calls, entries, steps, version, writeState } from './proof-ops.fixture.ts';
import { createPair } from './proof-pair.fixture.ts';
import { createRecordedOverlay } from './recorded-overlay.ts';

/** How many sequences of calls to try, and from which seed: the same ones each time, unless others are asked for. */
const runs = Number(process.env['PROOF_RUNS'] ?? 500);
const seed = Number(process.env['PROOF_SEED'] ?? 41);

/** The state as it was committed, or read again through a cache of some bytes. */
const reopened = (nodes: Nodes, { root }: Backend, cacheBytes: number): Backend => {
  const getNode = (name: Uint8Array) => nodes.get(bytesToHex(name)) ?? null;
  return createBackend({ blake2b256: hash, source: { getNode, cache: createNodeCache(cacheBytes) } }, root);
};

const cacheBytes = fc.constantFrom(null, 0, 3000, 1e9);

it('the size of a proof is what the recorder of the SDK counts, after each of many calls', () => {
  fc.assert(
    fc.property(entries, version, steps, cacheBytes, (list, made, all, limit) => {
      const { nodes, backend } = writeState(list, made);
      const pair = createPair(limit === null ? backend : reopened(nodes, backend, limit), nodes);
      for (const step of all) pair.run(step);
      pair.expectSameNodes();
    }),
    { numRuns: runs, seed },
  );
});

// Found by the test above (seed 696149115). The model looks for the child's root in the emptied trie, and counts its empty node: 36
// bytes, not 34. No chain has such a state, because each has its code.
it.fails('a child that is not there is cleared, and then the last key of the main trie deleted', () => {
  const { nodes, backend } = writeState([['', new Uint8Array(), new Uint8Array(31)]], 0);
  const pair = createPair(backend, nodes);
  pair.run({ kind: 'clear', trie: 'one', key: new Uint8Array(), limit: null, cursor: null });
  pair.run({ kind: 'set', trie: '', key: new Uint8Array(), value: null });
  pair.run({ kind: 'root', version: 0 });
});

it('ignored nodes are neither counted nor in the proof', () => {
  fc.assert(
    fc.property(entries, version, steps, fc.nat({ max: 2 }), (list, made, all, third) => {
      const { nodes, backend } = writeState(list, made);
      const ignored = [...nodes.keys()].filter((_, index) => index % 3 === third);
      const pair = createPair(backend, nodes, ignored);
      for (const step of all) pair.run(step);
      pair.expectSameNodes();
    }),
    { numRuns: Math.ceil(runs / 4), seed },
  );
});

it('what the node reads for itself is not counted', () => {
  const { backend } = writeState([['', Uint8Array.of(1), new Uint8Array(40)]], 1);
  const overlay = createRecordedOverlay(backend, createProofRecorder(), true);
  expect(overlay.backend.get(Uint8Array.of(1))).toEqual(new Uint8Array(40));
  expect(overlay.proofSize()).toBe(0);
});

it('a root whose layer was dropped is computed and counted again', () => {
  const { backend } = writeState([['', Uint8Array.of(1), new Uint8Array(40)]], 1);
  const overlay = createRecordedOverlay(backend, createProofRecorder(), true);
  overlay.set(Uint8Array.of(2), Uint8Array.of(2));
  overlay.startLayer();
  overlay.root(1);
  const size = overlay.proofSize();
  expect(size).toBeGreaterThan(0);
  overlay.endLayer(false);
  expect(overlay.proofSize()).toBe(0);
  overlay.root(1);
  expect(overlay.proofSize()).toBe(size);
});

/** Loads what a read misses, and what it misses then. */
const loadMissing = (from: Nodes, into: Map<Hex, Uint8Array>, miss: MissingNodes): void => {
  for (const { hash: name } of miss.nodes)
    into.set(bytesToHex(name), from.get(bytesToHex(name)) as Uint8Array);
  try {
    miss.again?.();
  } catch (error) {
    if (!(error instanceof MissingNodes)) throw error;
    loadMissing(from, into, error);
  }
};

it('a call that starts again once missing nodes are loaded counts none of them twice or too early', () => {
  fc.assert(
    fc.property(entries, version, calls, (list, made, all) => {
      const { nodes, backend } = writeState(list, made);
      const loaded = new Map<Hex, Uint8Array>();
      const getNode = (name: Uint8Array) => loaded.get(bytesToHex(name)) ?? null;
      const state = createBackend({ blake2b256: hash, source: { getNode } }, backend.root);
      const overlay = createRecordedOverlay(state, createProofRecorder(), true);
      const attempt = (): (number | null)[] | MissingNodes => {
        overlay.startLayer();
        let keep = false;
        try {
          const sizes = all.map((step) => {
            callOverlay(overlay, step);
            return overlay.proofSize();
          });
          keep = true;
          return sizes;
        } catch (error) {
          if (!(error instanceof MissingNodes)) throw error;
          return error;
        } finally {
          overlay.endLayer(keep);
        }
      };
      const counted = createModelRecorder();
      const model = createModelExt(nodes, counted, bytesToHex(backend.root));
      const wanted = all.map((step) => {
        callModel(model, step);
        return counted.size();
      });
      let sizes = attempt();
      while (sizes instanceof MissingNodes) {
        loadMissing(nodes, loaded, sizes);
        sizes = attempt();
      }
      expect(sizes).toEqual(wanted);
    }),
    { numRuns: Math.ceil(runs / 4), seed },
  );
});
