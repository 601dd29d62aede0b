import { NodeError } from '../../src/protocol/errors.ts';
import {
  type ApiTarget,
  type ApplyOutcome,
  applyExtrinsic,
  inherentExtrinsics,
} from '../executor/runtime-api.ts';
import type { Overlay } from '../state/overlay.ts';

/** Makes a runtime call on the overlay of the block. */
export type Run = <T>(step: (target: ApiTarget) => T) => Promise<T>;

/** What became of an extrinsic; all but the first one are left out of the block. */
export type Verdict = 'included' | 'early' | 'stale' | 'exhausted' | 'mandatory' | 'invalid';

/**
 * InvalidTransaction::Future: after a reorg, the pool may not know that it depends on another one. Unlike in
 * sc-basic-authorship, it is kept.
 */
const future = 2;
/** InvalidTransaction::Stale: the branch of this block has one with this nonce already. Another branch may not. */
const staleNonce = 3;
/** InvalidTransaction::ExhaustsResources: it did not fit into this block, but may fit into the next. */
const exhaustsResources = 6;
/** InvalidTransaction::BadMandatory: an extrinsic without which the block is not valid has failed. */
const badMandatory = 8;

const verdictOf = (outcome: Exclude<ApplyOutcome, { kind: 'applied' }>): Verdict => {
  if (outcome.kind === 'unknown') return 'invalid';
  switch (outcome.error[0]) {
    case future:
      return 'early';
    case staleNonce:
      return 'stale';
    case exhaustsResources:
      return 'exhausted';
    case badMandatory:
      return 'mandatory';
    default:
      return 'invalid';
  }
};

/** Applies one extrinsic in a separate layer, which is dropped if the runtime rejects it or traps. */
export const applyOne = async (run: Run, overlay: Overlay, extrinsic: Uint8Array): Promise<Verdict> => {
  overlay.startLayer();
  let keep = false;
  try {
    const outcome = await run((target) => applyExtrinsic(target, extrinsic));
    keep = outcome.kind === 'applied';
    return outcome.kind === 'applied' ? 'included' : verdictOf(outcome);
  } catch (error) {
    if (error instanceof NodeError && (error.code === 'RuntimeTrap' || error.code === 'OutOfFuel'))
      return 'invalid';
    throw error;
  } finally {
    overlay.endLayer(keep);
  }
};

/** What the runtime makes of the inherent data. Its changes and reads are dropped (sc-block-builder, `create_inherents`). */
const createInherents = async (run: Run, overlay: Overlay, data: Uint8Array): Promise<Uint8Array[]> => {
  overlay.startLayer();
  try {
    return await run((target) => inherentExtrinsics(target, data));
  } finally {
    overlay.endLayer(false);
  }
};

/**
 * Applies the inherents, and leaves out those that do not fit or fail, unless the runtime says that the block
 * needs them (sc-basic-authorship, `apply_inherents`). Throws `InherentFailed`.
 */
export const applyInherents = async (
  run: Run,
  overlay: Overlay,
  data: Uint8Array,
  noteDropped: (message: string) => void,
): Promise<Uint8Array[]> => {
  const inherents = await createInherents(run, overlay, data);
  const applied: Uint8Array[] = [];
  for (const [index, inherent] of inherents.entries()) {
    const verdict = await applyOne(run, overlay, inherent);
    if (verdict === 'mandatory')
      throw new NodeError(
        'InherentFailed',
        `Inherent ${index} of the block is mandatory, and was refused by the runtime`,
      );
    if (verdict === 'included') applied.push(inherent);
    else
      noteDropped(
        `Inherent ${index} ${verdict === 'exhausted' ? 'does not fit' : 'was refused by the runtime'}, and is left out`,
      );
  }
  return applied;
};
