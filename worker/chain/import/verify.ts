import { equalBytes } from '../../bytes/bytes.ts';
import type { Header } from '../../codec/header.ts';
import { bytesToBlockHash } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Runtime } from '../../executor/executor.ts';
import type { FinalityGadget, FinalityView } from '../finality-gadget.ts';
import { rootOfExtrinsics } from '../hashes.ts';
import { type Refusal, refuse } from '../refusal.ts';
import type { Incoming, VerifiedBlock } from '../steps.ts';
import type { BlockTree, TreeBlock } from '../tree.ts';
import type { ChainView } from '../view.ts';

export type Verdict = {
  readonly ok: true;
  /** Counts for fork choice. */
  readonly primary: boolean;
  /** Verified to be sealed by an authority, or trusted by the operator. */
  readonly isSealed: boolean;
};

/**
 * The consensus engine's part of verification: whether the author was entitled to the block, and whether the
 * block counts for fork choice (decision 23). Declared here, implemented in worker/consensus.
 */
export type Verifier = {
  verify(
    input: Pick<Incoming, 'hash' | 'block' | 'origin' | 'chainTimeMs'> & {
      readonly parent: TreeBlock;
      readonly parentHeader: Header;
      /** The parent's runtime. */
      readonly runtime: Runtime;
    },
  ): Promise<Verdict | Refusal>;
};

export type VerifyDeps = {
  readonly crypto: Pick<Crypto, 'blake2b256'>;
  readonly tree: BlockTree;
  readonly view: Pick<ChainView, 'loadHeader' | 'runtimeAt'>;
  readonly verifier: Verifier;
  readonly finality: FinalityGadget;
  readonly finalityView: FinalityView;
};

/** Step 1: checks that need no execution: number, extrinsics root, consensus, justifications. */
export const verifyBlock = async (
  deps: VerifyDeps,
  incoming: Incoming,
): Promise<{ readonly ok: true; readonly value: VerifiedBlock } | Refusal> => {
  const { hash, block } = incoming;
  const { header } = block;
  const parent = deps.tree.get(bytesToBlockHash(header.parentHash));
  const parentHeader = parent === null ? null : await deps.view.loadHeader(parent.hash);
  if (parent === null || parentHeader === null)
    return refuse(
      'UnknownParent',
      `The parent of block #${header.number} is not known or is below the finalized block`,
    );
  if (header.number !== parent.number + 1)
    return refuse('BadBlock', `Block #${header.number} does not follow its parent #${parent.number}`);
  const runtime = await deps.view.runtimeAt(parent.hash, 'onchain');
  const extrinsicsRoot = incoming.isRootKnown
    ? null
    : rootOfExtrinsics(deps.crypto, runtime, block.extrinsics);
  if (extrinsicsRoot !== null && !equalBytes(extrinsicsRoot.root, header.extrinsicsRoot))
    return refuse(
      'ExtrinsicsRootMismatch',
      `Block #${header.number}: the extrinsics root does not match the body`,
    );
  const verdict = await deps.verifier.verify({
    ...incoming,
    parent,
    parentHeader,
    runtime: await deps.view.runtimeAt(parent.hash),
  });
  if (!verdict.ok) return verdict;
  const { isSealed } = verdict;
  const weight = parent.weight + (verdict.primary ? 1 : 0);
  const { finalize, justifications } = incoming;
  const finality = await deps.finality.importBlock(deps.finalityView, {
    hash,
    header,
    parent,
    justifications,
    finalize,
  });
  if (!finality.ok) return finality;
  return {
    ok: true,
    value: { ...incoming, step: 'verified', parent, runtime, weight, isSealed, extrinsicsRoot, finality },
  };
};
