import { noBytes } from '../bytes/bytes.ts';
import type { Block } from '../codec/block.ts';
import { encodeHeader, splitSeals } from '../codec/header.ts';
import type { Runtime } from '../executor/executor.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Backend } from '../state/backend.ts';
import { createOverlay, type Overlay } from '../state/overlay.ts';
import { createTrialBackend, type Wanted, wantedBy } from '../state/trial.ts';
import { MissingNodes } from '../trie/missing-nodes.ts';
import type { Foresight } from './node-store.ts';
import { startPace } from './pace.ts';
import type { ReadSets } from './read-sets.ts';

type Within = Parameters<Foresight>[1];

export type ForeseenCall = {
  readonly backend: Backend;
  readonly runtime: Runtime;
  readonly method: string;
  /** Finds out what else the call would miss. */
  scout(within: Within): readonly Wanted[] | Promise<readonly Wanted[]>;
};

/** The first miss of a call brings what it read last, where that is known; each other one what a trial of it wants. */
export const foreseeCall = (
  sets: ReadSets,
  { backend, runtime, method, scout }: ForeseenCall,
): { readonly foresee: Foresight; done(overlay: Overlay): void } => {
  let missed = false;
  return {
    foresee: (misses, within) => {
      missed = true;
      const known = misses === 1 ? sets.of(runtime, method) : [];
      return known.length > 0 ? known.map((key) => () => backend.get(key)) : scout(within);
    },
    done: (overlay) => {
      if (missed) sets.keep(runtime, method, overlay.keysRead());
    },
  };
};

/** A read without effects is tried as it is, from the first miss on. */
export const foreseeRead =
  (backend: Backend, read: (backend: Backend) => unknown): Foresight =>
  (_misses, within) =>
    within(() => wantedBy(backend, read));

/**
 * What executing a block would miss. `Core_execute_block` ends with the first transaction that has no account; one by one,
 * each transaction names its own reads.
 */
export const scoutBlock = async (
  on: { readonly backend: Backend; readonly runtime: Runtime; readonly signatures: SignatureCache },
  { header, extrinsics }: Block,
  within: Within,
): Promise<readonly Wanted[]> => {
  const wanted: Wanted[] = [];
  const overlay = createOverlay(createTrialBackend(on.backend, (read) => void wanted.push(read)));
  const options = { fuel: 'small', verifiedSignatures: on.signatures } as const;
  const attempt = (method: string, input: Uint8Array): void => {
    try {
      within(() => on.runtime.call(overlay, method, input, options));
    } catch (error) {
      if (!(error instanceof MissingNodes)) throw error;
      if (error.again !== null) wanted.push(error.again);
    }
  };
  const pace = startPace();
  attempt('Core_initialize_block', encodeHeader(splitSeals(header).unsealed));
  for (const extrinsic of extrinsics) {
    attempt('BlockBuilder_apply_extrinsic', extrinsic);
    await pace.pause();
  }
  attempt('BlockBuilder_finalize_block', noBytes);
  return wanted;
};
