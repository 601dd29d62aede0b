import { expect } from 'vitest';
import { bytesToKey, concatBytes } from '../bytes/bytes.ts';
import { bytesToHex, type Hex, hexToBytes } from '../bytes/hex.ts';
import { createProofRecorder } from '../trie/proof-recorder.ts';
import type { Backend } from './backend.ts';
import { createModelExt } from './ext-model.fixture.ts';
import { createModelRecorder, hash, type Nodes } from './proof-model.fixture.ts';
import { type Bracket, type Call, callModel, callOverlay } from './proof-ops.fixture.ts';
import { createRecordedOverlay } from './recorded-overlay.ts';

const isCall = (step: Call | Bracket): step is Call =>
  !['layer', 'start', 'keep', 'drop'].includes(step.kind);

/** Runs the same on a recorded overlay and on the model. Brackets that do not match are left out. */
export const createPair = (backend: Backend, nodes: Nodes, ignored: readonly Hex[] = []) => {
  const counted = createModelRecorder(new Set(ignored));
  const model = createModelExt(nodes, counted, bytesToHex(backend.root));
  const recorder = createProofRecorder(new Set(ignored.map((name) => bytesToKey(hexToBytes(name)))));
  const overlay = createRecordedOverlay(backend, recorder, true);
  const hashes = (): Hex[] =>
    recorder
      .nodes()
      .map((bytes) => bytesToHex(hash(bytes)))
      .sort();
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
    size: () => overlay.proofSize(),
    expectSameNodes: (): void => expect(hashes()).toEqual([...counted.accessed.keys()].sort()),
    /** The hash of the sorted hashes of the proof. */
    proofHash: (): Hex => bytesToHex(hash(concatBytes(...hashes().map(hexToBytes)))),
  };
};
