import type { BlockRef } from '../../worker/chain/tree.ts';
import {
  type CatchUp,
  encodeMessage,
  type VoteKind,
  votePayload,
} from '../../worker/consensus/grandpa/voter/messages.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';

const crypto = await loadCrypto();

const pairOf = (suri: string) => crypto.suriToPair(suri, 'ed25519');

/** A vote in set 0. `signer`: who signs it, if that is not the voter. */
export const signVote = (kind: VoteKind, target: BlockRef, round: bigint, voter: string, signer = voter) => ({
  ...{ kind, target, voter: pairOf(voter).publicKey },
  signature: crypto.ed25519Sign(pairOf(signer).secret, votePayload({ kind, target }, round, 0n)),
});

export const neighbor = (round: bigint, height = 0): Uint8Array =>
  encodeMessage({ type: 'neighbor', setId: 0n, round, height });

export const voteOf = (round: bigint, vote: ReturnType<typeof signVote>, setId = 0n): Uint8Array =>
  encodeMessage({ type: 'vote', round, setId, vote });

export const requestCatchUp = (round: bigint): Uint8Array =>
  encodeMessage({ type: 'catch-up-request', setId: 0n, round });

const both = ['//Alice', '//Bob'] as const;

/** A commit with a precommit of each voter. */
export const commitOf = (
  round: bigint,
  target: BlockRef,
  voters: readonly string[] = both,
  signed = round,
): Uint8Array =>
  encodeMessage({
    ...{ type: 'commit', setId: 0n, round },
    commit: { target, precommits: voters.map((voter) => signVote(1, target, signed, voter)) },
  });

/** The votes of a round for one block. */
export const catchUpOf = (
  round: bigint,
  target: BlockRef,
  change: Partial<CatchUp> = {},
  signed = round,
): Uint8Array => {
  const [prevotes, precommits] = ([0, 1] as const).map((kind) =>
    both.map((voter) => signVote(kind, target, signed, voter)),
  ) as [ReturnType<typeof signVote>[], ReturnType<typeof signVote>[]];
  const catchUp = { round, base: target, prevotes, precommits, ...change };
  return encodeMessage({ type: 'catch-up', setId: 0n, catchUp });
};
