import { bytesToKey } from '../../../bytes/bytes.ts';
import type { SignedVote } from './messages.ts';

/** Two votes of a kind prove an equivocation; more prove nothing else. */
const maxVotesOfKind = 2;
/** Peers that are known to have a vote. */
const maxHolders = 256;
/** Votes are kept for the current round, the next one and this many earlier ones. */
const keptRounds = 2n;

type StoredVote = { readonly vote: SignedVote; readonly holders: Set<string> };

const keep = (vote: SignedVote): StoredVote => ({ vote, holders: new Set() });

/**
 * The checked votes of the last rounds, for rounds that have not begun here and for peers that lack them. At
 * most two votes per voter and kind are kept, so that no flood grows it.
 */
export const createRounds = () => {
  const rounds = new Map<bigint, Map<string, StoredVote[]>>();
  /** False if the vote is known or superfluous. */
  const add = (round: bigint, vote: SignedVote): boolean => {
    const votes = rounds.get(round) ?? new Map<string, StoredVote[]>();
    rounds.set(round, votes);
    const key = `${vote.kind}${bytesToKey(vote.voter)}`;
    const known = votes.get(key) ?? [];
    votes.set(key, known);
    if (known.length >= maxVotesOfKind || known.some((one) => one.vote.target.hash === vote.target.hash))
      return false;
    known.push(keep(vote));
    return true;
  };
  const find = (round: bigint, vote: SignedVote): StoredVote | undefined =>
    rounds
      .get(round)
      ?.get(`${vote.kind}${bytesToKey(vote.voter)}`)
      ?.find((one) => one.vote.target.hash === vote.target.hash);
  return {
    add,
    /** Keeps a vote that has counted, in place of one that may not have: one below a round's base never does. */
    keepCounted: (round: bigint, vote: SignedVote): void => {
      if (add(round, vote)) return;
      const known = rounds.get(round)?.get(`${vote.kind}${bytesToKey(vote.voter)}`);
      if (known !== undefined && find(round, vote) === undefined) known.splice(0, 1, keep(vote));
    },
    has: (round: bigint, vote: SignedVote): boolean => find(round, vote) !== undefined,
    /** A peer has sent a vote, so it need not be sent to it. */
    noteHolder: (round: bigint, vote: SignedVote, peer: string): void => {
      const holders = find(round, vote)?.holders;
      if (holders !== undefined && holders.size < maxHolders) holders.add(peer);
    },
    /** Without those that a peer has sent, if one is given. */
    of: (round: bigint, peer: string | null = null): SignedVote[] =>
      [...(rounds.get(round)?.values() ?? [])]
        .flat()
        .filter(({ holders }) => peer === null || !holders.has(peer))
        .map(({ vote }) => vote),
    /** Forgets rounds that are too old to matter. */
    begin: (round: bigint): void => {
      for (const one of rounds.keys()) if (one + keptRounds < round) rounds.delete(one);
    },
    size: () => rounds.size,
  };
};

export type Rounds = ReturnType<typeof createRounds>;
