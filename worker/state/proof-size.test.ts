import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesToKey } from '../bytes/bytes.ts';
import { bytesToHex, type Hex, hexToBytes } from '../bytes/hex.ts';
import { MissingNodes } from '../trie/missing-nodes.ts';
import { createNodeCache } from '../trie/node-cache.ts';
import { createProofRecorder, type ProofRecorder } from '../trie/proof-recorder.ts';
import { type Backend, createBackend } from './backend.ts';
import { createModelExt } from './ext-model.fixture.ts';
import { createModelRecorder, hash, type Nodes } from './proof-model.fixture.ts';
import {
  type Bracket,
  type Call,
  callModel,
  callOverlay,
  calls,
  entries,
  steps,
  version,
  writeState,
} from './proof-ops.fixture.ts';
import { createRecordedOverlay } from './recorded-overlay.ts';

/** How many sequences of calls to try. */
const runs = Number(process.env['PROOF_RUNS'] ?? 500);

const isCall = (step: Call | Bracket): step is Call =>
  !['layer', 'start', 'keep', 'drop'].includes(step.kind);

const hashesOf = (recorder: ProofRecorder): Hex[] =>
  recorder
    .nodes()
    .map((bytes) => bytesToHex(hash(bytes)))
    .sort();

/** Runs the same on a recorded overlay and on the model. Brackets that do not match are left out. */
const createPair = (backend: Backend, nodes: Nodes, ignored: readonly Hex[] = []) => {
  const counted = createModelRecorder(new Set(ignored));
  const model = createModelExt(nodes, counted, bytesToHex(backend.root));
  const recorder = createProofRecorder(new Set(ignored.map((name) => bytesToKey(hexToBytes(name)))));
  const overlay = createRecordedOverlay(backend, recorder, true);
  const open: ('layer' | 'start')[] = [];
  const end = (keep: boolean): void => {
    const last = open.pop();
    if (last === undefined) return;
    if (keep) model.commit();
    else model.rollback();
    if (last === 'layer') {
      overlay.endLayer(keep);
      if (keep) counted.commit();
      else counted.rollback();
    } else if (keep) overlay.commitTransaction();
    else overlay.rollbackTransaction();
  };
  const begin = (kind: 'layer' | 'start'): void => {
    // The client opens none within a transaction of the runtime.
    if (kind === 'layer' && open.at(-1) === 'start') return;
    open.push(kind);
    model.start();
    if (kind === 'start') overlay.startTransaction();
    else {
      overlay.startLayer();
      counted.start();
    }
  };
  return {
    run: (step: Call | Bracket): void => {
      if (isCall(step)) expect(callOverlay(overlay, step)).toEqual(callModel(model, step));
      else if (step.kind === 'layer' || step.kind === 'start') begin(step.kind);
      else end(step.kind === 'keep');
      expect(overlay.proofSize()).toBe(counted.size());
    },
    expectSameNodes: (): void => expect(hashesOf(recorder)).toEqual([...counted.accessed.keys()].sort()),
  };
};

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
    { numRuns: runs },
  );
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
    { numRuns: Math.ceil(runs / 4) },
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
  for (const name of miss.hashes) into.set(bytesToHex(name), from.get(bytesToHex(name)) as Uint8Array);
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
    { numRuns: Math.ceil(runs / 4) },
  );
});
