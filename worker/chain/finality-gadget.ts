import type { Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Justification, Justifications } from '../codec/justification.ts';
import type { BatchBuilder } from '../db/database.ts';
import type { Runtime } from '../executor/executor.ts';
import type { Backend } from '../state/backend.ts';
import type { Refusal } from './refusal.ts';
import type { BlockRef, BlockTree, TreeBlock } from './tree.ts';

/** The chain reads that the finality gadget needs. */
export type FinalityView = {
  readonly tree: BlockTree;
  loadHeader(hash: BlockHash): Promise<Header | null>;
  /** Runs a synchronous read on a block's state, and repeats it after loading missing nodes. */
  readState<T>(
    hash: BlockHash,
    read: (at: { readonly backend: Backend; readonly runtime: Runtime }) => T,
  ): Promise<T>;
};

/**
 * The consequences of a step of the chain for the gadget. They take effect only with the step's own
 * transaction.
 */
export type FinalityStep = {
  readonly ok: true;
  /** The justification that finalizes the block, or null. */
  readonly justification: Justification | null;
  /** Why the justification that came with the block was dropped. The block does not depend on it. */
  readonly badJustification?: string;
  /** A block whose stored justification is not needed any more. */
  readonly superseded?: BlockHash | null;
  /** Adds the changes to the step's transaction. */
  stage(batch: BatchBuilder): void;
  /** Call after the write. */
  accept(): void;
};

/** The finality gadget's interface to the chain. Declared here, implemented in worker/consensus. */
export type FinalityGadget = {
  /**
   * Imports a block whose parent is in the tree. `finalize` finalizes it with or without a proof. An invalid
   * proof is dropped.
   */
  importBlock(
    view: FinalityView,
    input: {
      readonly hash: BlockHash;
      readonly header: Header;
      readonly parent: TreeBlock;
      readonly justifications: Justifications | null;
      readonly finalize: boolean;
    },
  ): Promise<FinalityStep | Refusal>;
  /** Finalizes a block of the tree. */
  finalizeBlock(
    view: FinalityView,
    target: TreeBlock,
    justification: Justification | null,
  ): Promise<FinalityStep | Refusal>;
  /** Moves the chain to the tree of `view`. `common` is the last canonical block that stays. */
  move(view: FinalityView, from: BlockRef, common: BlockRef): Promise<FinalityStep>;
};

/** A step that does not involve the gadget. */
export const noFinality = (justification: Justification | null): FinalityStep => ({
  ok: true,
  justification,
  stage: () => undefined,
  accept: () => undefined,
});
