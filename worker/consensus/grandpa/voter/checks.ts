import { bytesToKey } from '../../../bytes/bytes.ts';
import type { BlockRef } from '../../../chain/tree.ts';
import type { WeightedAuthority } from '../../../executor/runtime-api-consensus.ts';
import { type SignatureCrypto, threshold, verifyAll } from '../verify.ts';
import type { Lineage } from './lineage.ts';
import {
  type CatchUp,
  type Commit,
  type Message,
  precommit,
  prevote,
  type SignedTarget,
  type VoteKind,
  votePayload,
} from './messages.ts';

export type Checks = {
  readonly crypto: SignatureCrypto;
  readonly setId: bigint;
  readonly authorities: readonly WeightedAuthority[];
  readonly lineage: Lineage;
};

/** Whether the voters are known, their signatures valid, and their votes sufficient. */
export type Validity = 'valid' | 'unknown-voter' | 'bad-signature' | 'bad-count';

export const createChecks = ({ crypto, setId, authorities, lineage }: Checks) => {
  const voters = new Map(authorities.map(({ publicKey, weight }) => [bytesToKey(publicKey), weight]));
  const least = threshold(authorities.reduce((sum, { weight }) => sum + weight, 0n));
  const claimOf = (kind: VoteKind, round: bigint, { target, signature, voter }: SignedTarget) => ({
    signature,
    message: votePayload({ kind, target }, round, setId),
    publicKey: voter,
  });
  const check = (kind: VoteKind, round: bigint, signed: SignedTarget): Validity => {
    if (!voters.has(bytesToKey(signed.voter))) return 'unknown-voter';
    const { signature, message, publicKey } = claimOf(kind, round, signed);
    return crypto.ed25519Verify(signature, message, publicKey) ? 'valid' : 'bad-signature';
  };
  const checkAll = (kind: VoteKind, round: bigint, votes: readonly SignedTarget[]): Validity => {
    if (votes.length > 2 * voters.size) return 'bad-count';
    const names = new Set(votes.map(({ voter }) => bytesToKey(voter)));
    let weight = 0n;
    for (const name of names) weight += voters.get(name) ?? 0n;
    // Checked before the signatures, which cost much more.
    if (weight < least) return 'bad-count';
    if ([...names].some((name) => !voters.has(name))) return 'unknown-voter';
    const claims = votes.map((vote) => claimOf(kind, round, vote));
    return verifyAll(crypto, claims) ? 'valid' : 'bad-signature';
  };
  return {
    vote: check,
    commit: (round: bigint, { precommits }: Commit): Validity => checkAll(precommit, round, precommits),
    catchUp: ({ round, prevotes, precommits }: CatchUp): Validity => {
      const first = checkAll(prevote, round, prevotes);
      return first === 'valid' ? checkAll(precommit, round, precommits) : first;
    },
    /** Whether a message names only known blocks, under their numbers; `lie` if a number is wrong. */
    blocks: (targets: readonly BlockRef[]): 'known' | 'unknown' | 'lie' => {
      const links = targets.map(({ hash, number }) => ({ link: lineage.get(hash), number }));
      if (links.some(({ link, number }) => link !== null && link.number !== number)) return 'lie';
      return links.every(({ link }) => link !== null) ? 'known' : 'unknown';
    },
  };
};

/** The blocks that a message names. */
export const namedBlocks = (message: Message): readonly BlockRef[] => {
  if (message.type === 'vote') return [message.vote.target];
  if (message.type === 'commit')
    return [message.commit.target, ...message.commit.precommits.map(({ target }) => target)];
  if (message.type !== 'catch-up') return [];
  const { base, prevotes, precommits } = message.catchUp;
  return [base, ...[...prevotes, ...precommits].map(({ target }) => target)];
};
