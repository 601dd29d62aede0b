import { NodeError } from '../../../../src/protocol/errors.ts';
import { textToBytes } from '../../../bytes/bytes.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import type { Header } from '../../../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../../codec/identity.ts';
import { encodeGrandpaJustification, grandpaEngine } from '../codec.ts';
import type { Commit } from './messages.ts';

/**
 * A justification made from a commit: its precommits and the headers from the votes down to the lowest one
 * (sp-consensus-grandpa `GrandpaJustification::from_commit`). Null if a header is not known any more.
 */
export const justify = async (
  round: bigint,
  { target, precommits }: Commit,
  loadHeader: (hash: BlockHash) => Promise<Header | null>,
): Promise<Uint8Array | null> => {
  const votes = precommits.map((one) => one.target);
  const base = votes.reduce<BlockRef>((low, vote) => (vote.number < low.number ? vote : low), target);
  const seen = new Set<BlockHash>();
  const ancestries: Header[] = [];
  for (const vote of votes) {
    for (let { hash, number } = vote; number > base.number && !seen.has(hash); number--) {
      const header = await loadHeader(hash);
      if (header === null) return null;
      seen.add(hash);
      ancestries.push(header);
      hash = bytesToBlockHash(header.parentHash);
    }
  }
  return encodeGrandpaJustification({
    round,
    targetHash: blockHashToBytes(target.hash),
    targetNumber: target.number,
    precommits: precommits.map((one) => ({
      hash: blockHashToBytes(one.target.hash),
      number: one.target.number,
      signature: one.signature,
      voter: one.voter,
    })),
    ancestries,
  });
};

type Deps = { readonly chain: Pick<Chain, 'finalize' | 'finalized' | 'loadHeader' | 'view'> };

const isRefusal = (fault: unknown): boolean =>
  fault instanceof NodeError && (fault.code === 'NotFinalizable' || fault.code === 'UnknownBlock');

/** Finalizes what the voters report, one block after the other: each voter of this node reports the same blocks. */
export const createFinalizer = ({ chain }: Deps) => {
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
