import type { Block } from '../../codec/block.ts';
import { bytesToBlockHash } from '../../codec/identity.ts';
import type { CallResult } from '../../executor/executor.ts';
import type { CallExtensions } from '../../executor/extensions.ts';
import type { Overlay } from '../../state/overlay.ts';
import type { Opened, Proofs } from '../proofs.ts';
import type { ChainView, ChainViewDeps } from '../view.ts';

/** The result of re-executing a stored block. */
export type Reexecution = {
  readonly result: CallResult;
  /** The root of the state it ran on. */
  readonly stateRoot: Uint8Array;
  /** The trie nodes and hashed values the execution read, its final root included, each once. */
  readonly witness: readonly Uint8Array[];
};

export type RecordDeps = Pick<ChainViewDeps, 'store'> & { readonly view: ChainView; readonly proofs: Proofs };

/**
 * `Core_execute_block` on the parent's state; all changes are dropped. `observe` may wrap the overlay. It is
 * called again for each attempt, and only the last attempt counts. Throws `UnknownBlock` for the parent.
 */
export const reexecute = async (
  { proofs }: RecordDeps,
  block: Block,
  observe: (overlay: Overlay) => Overlay,
  extensions: CallExtensions = {},
): Promise<Reexecution> => {
  const { result, recording } = await proofs.rerun(block, observe, { extensions });
  return { result, stateRoot: recording.stateRoot, witness: recording.witness() };
};

/**
 * A call on the state below a block, whose proof is recorded as if the block were executed
 * (cumulus-client-service, `ParachainTracingExecuteBlock`). Throws `UnknownBlock` and `StateDiscarded` for
 * the parent.
 */
export const callRecorded = async (
  { proofs, store, view }: RecordDeps,
  opened: Opened,
  method: string,
  input: Uint8Array,
): Promise<CallResult> => {
  const parent = bytesToBlockHash(opened.parentHash);
  const runtime = await view.runtimeAt(parent);
  const { openOverlay } = await proofs.record(runtime, opened);
  return view.whileKept(parent, () =>
    store.run(() => runtime.call(openOverlay(), method, input, { fuel: 'sealed' })),
  );
};
