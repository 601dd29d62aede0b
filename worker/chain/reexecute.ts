import { NodeError } from '../../src/protocol/errors.ts';
import { type Block, encodeBlock } from '../codec/block.ts';
import { splitSeals } from '../codec/header.ts';
import { bytesToBlockHash } from '../codec/identity.ts';
import type { CallResult } from '../executor/executor.ts';
import type { CallExtensions } from '../executor/extensions.ts';
import { createBackend } from '../state/backend.ts';
import { createOverlay, type Overlay } from '../state/overlay.ts';
import { createRecorder } from '../trie/compact-proof.ts';
import type { ChainView, ChainViewDeps } from './view.ts';

/** What running a stored block once more gave. */
export type Reexecution = {
  readonly result: CallResult;
  /** The root of the state it ran on. */
  readonly stateRoot: Uint8Array;
  /** The trie nodes and hashed values the execution read, its final root included, each once. */
  readonly witness: readonly Uint8Array[];
};

/**
 * `Core_execute_block` on the parent's state, everything dropped. `observe` may stand before the overlay; it is called
 * anew for each attempt, of which the last one counts. Throws `UnknownBlock` for the parent.
 */
export const reexecute = async (
  deps: Pick<ChainViewDeps, 'crypto' | 'store'> & { readonly view: ChainView },
  block: Block,
  observe: (overlay: Overlay) => Overlay,
  extensions: CallExtensions = {},
): Promise<Reexecution> => {
  const parent = bytesToBlockHash(block.header.parentHash);
  const header = await deps.view.loadHeader(parent);
  if (header === null) throw new NodeError('UnknownBlock', `Header was not found in the database: ${parent}`);
  const runtime = await deps.view.runtimeAt(parent);
  const known = await deps.view.backendAt(parent);
  const recorder = createRecorder(deps.crypto.blake2b256, deps.store);
  const recorded = createBackend({ blake2b256: deps.crypto.blake2b256, source: recorder }, header.stateRoot);
  const input = encodeBlock({ header: splitSeals(block.header).unsealed, extrinsics: block.extrinsics });
  const result = await deps.store.run(() => {
    // What the executor itself reads, the heap size, comes from the state that is not recorded.
    const overlay: Overlay = { ...createOverlay(recorded), backend: known };
    return runtime.call(observe(overlay), 'Core_execute_block', input, { fuel: 'import', extensions });
  });
  return { result, stateRoot: header.stateRoot, witness: recorder.nodes() };
};
