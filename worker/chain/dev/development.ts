import type { Block } from '../../codec/block.ts';
import type { BlockHash } from '../../codec/identity.ts';
import type { CallExtensions } from '../../executor/extensions.ts';
import type { StorageChanges } from '../../state/changes.ts';
import type { Overlay } from '../../state/overlay.ts';
import type { Queue } from '../../tasks/queue.ts';
import type { Overrides } from '../overrides.ts';
import { type Move, type MoveDeps, moveHead, overrideState } from './move.ts';
import { type RecordDeps, type Recording, type Reexecution, recordState, reexecute } from './reexecute.ts';

/** Development operations that bypass consensus, and tracing. */
export type DevelopmentChain = {
  /** Starts recording all reads from a block's state. Throws `UnknownBlock`. */
  recordState(hash: BlockHash): Promise<Recording>;
  /** Re-executes a stored block on its parent's state and drops the changes. Throws `UnknownBlock`. */
  reexecute(
    block: Block,
    observe: (overlay: Overlay) => Overlay,
    extensions?: CallExtensions,
  ): Promise<Reexecution>;
  /** Moves the head: the operation behind `dev_setHead`, `dev_restore` and `dev_reset` (decision 6). */
  move(move: Move): Promise<void>;
  /** Overrides the state of a block without children with a dev state (decision 6). */
  override(hash: BlockHash, changes: StorageChanges): Promise<void>;
  overrides(): Overrides;
};

export const createDevelopment = (
  deps: MoveDeps & RecordDeps & { readonly queue: Queue },
): DevelopmentChain => {
  const { queue, view } = deps;
  return {
    recordState: (hash) => recordState(deps, hash),
    reexecute: (...request) => reexecute(deps, ...request),
    move: (move) => queue.run(() => moveHead(deps, move)),
    override: (hash, changes) => queue.run(() => overrideState(deps, hash, changes)),
    overrides: view.overrides,
  };
};
