import type { Block } from '../codec/block.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Justifications } from '../codec/justification.ts';
import type { Runtime } from '../executor/executor.ts';
import type { Backend } from '../state/backend.ts';
import type { StorageChanges } from '../state/changes.ts';
import type { NodeBatch } from '../trie/node-source.ts';
import type { KnownRoot } from '../trie/ordered-root.ts';
import type { FinalityStep } from './finality.ts';
import type { TreeBlock } from './tree.ts';

/** A block that comes in, before step 1. */
export type Incoming = {
  readonly hash: BlockHash;
  readonly block: Block;
  /** Sealed by this node. */
  readonly isOwn: boolean;
  /** Handed in by the operator, not by a stranger: an old block. */
  readonly isFromFile: boolean;
  /** Chain time as the block's file declares it, in ms since 1970; 0 where nothing does. */
  readonly chainTimeMs: number;
  /** The runtime worked out the extrinsics root here, a moment ago. */
  readonly isRootKnown: boolean;
  /** Becomes final with its import, with or without a proof. */
  readonly finalize: boolean;
  readonly justifications: Justifications | null;
};

/** Step 1 done. Made only by `verifyBlock`. */
export type VerifiedBlock = Incoming & {
  readonly step: 'verified';
  readonly parent: TreeBlock;
  /** The parent's. */
  readonly runtime: Runtime;
  readonly weight: number;
  /** An authority was proven to have sealed it, or the operator vouches for it. */
  readonly isSealed: boolean;
  /** Worked out on the way; the runtime asks for it again. Null where it is known. */
  readonly extrinsicsRoot: KnownRoot | null;
  /** What the block and its justifications mean to the finality gadget. */
  readonly finality: FinalityStep;
};

/** What running a block gave; the author hands it in, so that its own block is not run twice. */
export type Execution = {
  readonly backend: Backend;
  readonly nodes: NodeBatch;
  /** Hashes of what the parent's state has and this one lacks (`Committed`). */
  readonly removed: readonly Uint8Array[];
  readonly changes: StorageChanges;
};

/** Step 2 done: the state root is what the header says. Made only by `executeBlock`. */
export type ExecutedBlock = Omit<VerifiedBlock, 'step'> & {
  readonly step: 'executed';
  readonly execution: Execution;
};
