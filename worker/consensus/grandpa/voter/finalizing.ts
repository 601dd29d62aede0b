import { NodeError } from '../../../../src/protocol/errors.ts';
import { textToBytes } from '../../../bytes/bytes.ts';
import type { Chain } from '../../../chain/chain.ts';
import { grandpaEngine } from '../codec.ts';
import { justify } from './justify.ts';
import type { Commit } from './messages.ts';

type Deps = { readonly chain: Pick<Chain, 'finalize' | 'finalized' | 'loadHeader' | 'view'> };

const isRefusal = (fault: unknown): boolean =>
  fault instanceof NodeError && (fault.code === 'NotFinalizable' || fault.code === 'UnknownBlock');

/** Finalizes what the voters report, one block after the other: each voter of this node reports the same blocks. */
export const createFinalizing = ({ chain }: Deps) => {
  let last: Promise<unknown> = Promise.resolve();
  const finalize = async (round: bigint, commit: Commit): Promise<void> => {
    const { hash, number } = commit.target;
    // The operator, or a justification, may have been faster.
    if (number <= chain.finalized().number) return;
    const proof = await justify(round, commit, chain.loadHeader);
    if (proof === null) return;
    try {
      await chain.finalize(hash, [textToBytes(grandpaEngine), proof]);
    } catch (fault) {
      const isThere = chain.view.tree.get(hash) !== null;
      // Finalized in the meantime, or abandoned by a jump, after which other voters start.
      if (isThere || !isRefusal(fault)) throw fault;
    }
  };
  return (round: bigint, commit: Commit): Promise<void> => {
    const next = last.then(() => finalize(round, commit));
    last = next.catch(() => undefined);
    return next;
  };
};
