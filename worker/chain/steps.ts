import type { Block } from '../codec/block.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Justifications } from '../codec/justification.ts';
import type { Runtime } from '../executor/executor.ts';
import type { OverlayCommit } from '../state/overlay.ts';
import type { KnownRoot } from '../trie/ordered-root.ts';
import type { FinalityStep } from './finality-gadget.ts';
import type { TreeBlock } from './tree.ts';

/**
 * How a block came here (sp-consensus `BlockOrigin`): sealed by this node; from the operator's file; from a peer, while
 * catching up with its chain; or announced by a peer. It decides whose time counts, who runs offchain workers, and who
 * announces the block on.
 */
export type BlockOrigin = 'own' | 'file' | 'sync' | 'announced';

/** Whether the block is one of the present: an old block runs no offchain worker and is announced to nobody. */
export const isNew = (origin: BlockOrigin): boolean => origin === 'own' || origin === 'announced';

/** An incoming block, before step 1. */
export type Incoming = {
  readonly hash: BlockHash;
  readonly block: Block;
  readonly origin: BlockOrigin;
  /** Chain time declared by the block's file, in ms since 1970; 0 if not declared. */
  readonly chainTimeMs: number;
  /** The runtime has just computed the extrinsics root here. */
  readonly isRootKnown: boolean;
  /** Finalized on import, with or without a proof. */
  readonly finalize: boolean;
  readonly justifications: Justifications | null;
};

/** Step 1 is done. Only `verifyBlock` creates this. */
export type VerifiedBlock = Incoming & {
  readonly step: 'verified';
  readonly parent: TreeBlock;
  /** The parent's runtime. */
  readonly runtime: Runtime;
  readonly weight: number;
  /** Verified to be sealed by an authority, or trusted by the operator. */
  readonly isSealed: boolean;
  /** Computed during verification, and requested again by the runtime. Null if it is known already. */
  readonly extrinsicsRoot: KnownRoot | null;
  /** The consequences of the block and its justifications for the finality gadget. */
  readonly finality: FinalityStep;
};

/** The result of executing a block. The author passes its own, so that its block is not executed twice. */
export type Execution = OverlayCommit;

/** Step 2 is done: the state root matches the header. Only `executeBlock` creates this. */
export type ExecutedBlock = Omit<VerifiedBlock, 'step'> & {
  readonly step: 'executed';
  readonly execution: Execution;
};
