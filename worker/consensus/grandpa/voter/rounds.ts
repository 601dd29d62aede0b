import { bytesToKey } from '../../../bytes/bytes.ts';
import type { SignedVote } from './messages.ts';

/** Two votes of a kind prove an equivocation; more prove nothing else. */
const maxVotesOfKind = 2;
/** Votes are kept for the current round, the next one and this many earlier ones. */
const keptRounds = 2n;

/**
 * The checked votes of the last rounds, for rounds that have not begun here and for peers that lack them. At
 * most two votes per voter and kind are kept, so that no flood grows it.
 */
export const createRounds = () => {
  const rounds = new Map<bigint, Map<string, SignedVote[]>>();
  /** False if the vote is known or superfluous. */
  const add = (round: bigint, vote: SignedVote): boolean => {
    const votes = rounds.get(round) ?? new Map<string, SignedVote[]>();
    rounds.set(round, votes);
    const key = `${vote.kind}${bytesToKey(vote.voter)}`;
    const known = votes.get(key) ?? [];
    votes.set(key, known);
    if (known.length >= maxVotesOfKind || known.some(({ target }) => target.hash === vote.target.hash))
      return false;
    known.push(vote);
    return true;
  };
  return {
    add,
    /** Keeps a vote that has counted, in place of one that may not have: one below a round's base never does. */
    keepCounted: (round: bigint, vote: SignedVote): void => {
      if (add(round, vote)) return;
      const known = rounds.get(round)?.get(`${vote.kind}${bytesToKey(vote.voter)}`);
      if (known?.every(({ target }) => target.hash !== vote.target.hash) === true) known.splice(0, 1, vote);
    },
    has: (round: bigint, vote: SignedVote): boolean =>
      rounds
        .get(round)
        ?.get(`${vote.kind}${bytesToKey(vote.voter)}`)
        ?.some(({ target }) => target.hash === vote.target.hash) ?? false,
    of: (round: bigint): SignedVote[] => [...(rounds.get(round)?.values() ?? [])].flat(),
    /** Forgets rounds that are too old to matter. */
    begin: (round: bigint): void => {
      for (const one of rounds.keys()) if (one + keptRounds < round) rounds.delete(one);
    },
    size: () => rounds.size,
  };
};

export type Rounds = ReturnType<typeof createRounds>;
