import type { Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Justification, Justifications } from '../codec/justification.ts';
import type { BatchBuilder } from '../db/database.ts';
import type { Runtime } from '../executor/executor.ts';
import type { Backend } from '../state/backend.ts';
import type { Refusal } from './refusal.ts';
import type { BlockRef, BlockTree, TreeBlock } from './tree.ts';

/** What the finality gadget reads of the chain. */
export type FinalityView = {
  readonly tree: BlockTree;
  loadHeader(hash: BlockHash): Promise<Header | null>;
  /** Runs a synchronous read on a block's state, again after loading what it missed. */
  readState<T>(
    hash: BlockHash,
    read: (at: { readonly backend: Backend; readonly runtime: Runtime }) => T,
  ): Promise<T>;
};

/** What a step of the chain means to the gadget; nothing of it holds before the step's own transaction. */
export type FinalityStep = {
  readonly ok: true;
  /** The justification that makes the block final, or null. */
  readonly justification: Justification | null;
  /** Part of the transaction. */
  stage(batch: BatchBuilder): void;
  /** Call when it is written. */
  accept(): void;
};

/** The finality gadget's part of the chain. Declared here, provided by worker/consensus. */
export type FinalityGadget = {
  /** A block comes in, whose parent is in the tree; `finalize` makes it final with or without a proof. */
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
  /** A block of the tree is to become final. */
  finalizeBlock(
    view: FinalityView,
    target: TreeBlock,
    justification: Justification | null,
  ): Promise<FinalityStep | Refusal>;
  /** The chain moves to the tree of `view`; `common` is the last canonical block that stays. */
  move(view: FinalityView, from: BlockRef, common: BlockRef): Promise<FinalityStep>;
};

/** A step that the gadget has no part in. */
export const noFinality = (justification: Justification | null): FinalityStep => ({
  ok: true,
  justification,
  stage: () => undefined,
  accept: () => undefined,
});
