import type { Block } from '../codec/block.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { CallExtensions } from '../executor/extensions.ts';
import type { StorageChanges } from '../state/changes.ts';
import type { Overlay } from '../state/overlay.ts';
import { type Move, type MoveDeps, moveHead, overrideState } from './move.ts';
import type { Overrides } from './overrides.ts';
import type { Queue } from './queue.ts';
import { type RecordDeps, type Recording, type Reexecution, recordState, reexecute } from './reexecute.ts';

/** What a development chain offers beside consensus, and tracing. */
export type DevelopmentChain = {
  /** Notes what is read from a block's state from now on. Throws `UnknownBlock`. */
  recordState(hash: BlockHash): Promise<Recording>;
  /** Runs a stored block once more on its parent's state and drops the changes. Throws `UnknownBlock`. */
  reexecute(
    block: Block,
    observe: (overlay: Overlay) => Overlay,
    extensions?: CallExtensions,
  ): Promise<Reexecution>;
  /** Puts the head elsewhere: what `dev_setHead`, `dev_restore` and `dev_reset` do (decision 6). */
  move(move: Move): Promise<void>;
  /** Puts a dev state over that of a block without children (decision 6). */
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
