import type { ProofRecorder } from '../trie/proof-recorder.ts';
import type { Backend } from './backend.ts';
import { createOverlay, type Overlay } from './overlay.ts';
import { recordBackend } from './recorded-backend.ts';

/**
 * An overlay without changes over a state, which records what is read from the state and returns its size as
 * `proofSize`, if `returnsSize`. What the node reads for itself, the size of the runtime's memory, is not
 * recorded (sc-service, `call_executor.rs`, `contextual_call`).
 */
export const createRecordedOverlay = (
  backend: Backend,
  recorder: ProofRecorder,
  returnsSize: boolean,
): Overlay => {
  const overlay = createOverlay(recordBackend(backend, recorder));
  return {
    ...overlay,
    backend,
    startLayer: () => {
      overlay.startLayer();
      recorder.startLayer();
    },
    endLayer: (keep) => {
      overlay.endLayer(keep);
      recorder.endLayer(keep);
      if (!keep) overlay.forgetReads();
    },
    proofSize: () => (returnsSize ? recorder.size() : null),
    // Changes applied in parts would load other siblings than the SDK, which applies them all in the order of
    // their keys.
    prepareRoot: () => false,
  };
};
