import type { BlockRef } from '../../../chain/tree.ts';
import type { Header } from '../../../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../../codec/identity.ts';
import { encodeGrandpaJustification } from '../codec.ts';
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
