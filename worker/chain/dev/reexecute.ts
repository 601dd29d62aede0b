import { type Block, encodeBlock } from '../../codec/block.ts';
import { splitSeals } from '../../codec/header.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import type { CallResult } from '../../executor/executor.ts';
import type { CallExtensions } from '../../executor/extensions.ts';
import { createBackend } from '../../state/backend.ts';
import { createOverlay, type Overlay } from '../../state/overlay.ts';
import { createRecorder } from '../../trie/compact-proof.ts';
import type { ChainView, ChainViewDeps } from '../view.ts';

/** The result of re-executing a stored block. */
export type Reexecution = {
  readonly result: CallResult;
  /** The root of the state it ran on. */
  readonly stateRoot: Uint8Array;
  /** The trie nodes and hashed values the execution read, its final root included, each once. */
  readonly witness: readonly Uint8Array[];
};

/** A state that records reads. */
export type Recording = {
  readonly stateRoot: Uint8Array;
  openOverlay(): Overlay;
  /** The trie nodes and hashed values read so far, each once. */
  witness(): readonly Uint8Array[];
};

export type RecordDeps = Pick<ChainViewDeps, 'crypto' | 'store'> & { readonly view: ChainView };

/** Records all further reads from a block's state. Throws `UnknownBlock`. */
export const recordState = async (deps: RecordDeps, hash: BlockHash): Promise<Recording> => {
  const { blake2b256 } = deps.crypto;
  const known = await deps.view.backendAt(hash);
  const recorder = createRecorder(blake2b256, deps.store);
  const recorded = createBackend({ blake2b256, source: recorder }, known.root);
  return {
    stateRoot: known.root,
    // The executor's own read, the heap size, uses the unrecorded state.
    openOverlay: () => ({ ...createOverlay(recorded), backend: known }),
    witness: recorder.nodes,
  };
};

/**
 * `Core_execute_block` on the parent's state; all changes are dropped. `observe` may wrap the overlay. It is
 * called again for each attempt, and only the last attempt counts. Throws `UnknownBlock` for the parent.
 */
export const reexecute = async (
  deps: RecordDeps,
  block: Block,
  observe: (overlay: Overlay) => Overlay,
  extensions: CallExtensions = {},
): Promise<Reexecution> => {
  const parent = bytesToBlockHash(block.header.parentHash);
  const runtime = await deps.view.runtimeAt(parent, 'onchain');
  const { stateRoot, openOverlay, witness } = await recordState(deps, parent);
  const input = encodeBlock({ header: splitSeals(block.header).unsealed, extrinsics: block.extrinsics });
  const result = await deps.view.whileKept(parent, () =>
    deps.store.run(() =>
      runtime.call(observe(openOverlay()), 'Core_execute_block', input, { fuel: 'sealed', extensions }),
    ),
  );
  return { result, stateRoot, witness: witness() };
};
