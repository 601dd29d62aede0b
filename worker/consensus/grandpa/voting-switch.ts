import type { FinalityMode } from '../../../src/protocol/node.ts';
import type { DoubleVote } from './voter/module.ts';
import type { RoundsOfSet, Voting, VotingDeps } from './voting.ts';

/** Votes while the finality mode is `grandpa`. */
export type VotingSwitch = {
  /** Null while this node does not vote. */
  rounds(): RoundsOfSet | null;
  /** The last double votes of others; empty while this node does not vote. */
  doubleVotes(): readonly DoubleVote[];
  close(): Promise<void>;
};

type Modes = { mode(): FinalityMode; onMode(listener: () => void): void };

/** The voter and its module are loaded when the mode is first chosen. */
export const createVotingSwitch = (deps: VotingDeps, finality: Modes): VotingSwitch => {
  let voting: Voting | null = null;
  let isOver = false;
  let jobs: Promise<unknown> = Promise.resolve();
  const follow = async (): Promise<void> => {
    const isWanted = !isOver && finality.mode().kind === 'grandpa';
    if (isWanted === (voting !== null)) return;
    const ending = voting;
    voting = null;
    await ending?.close();
    if (isWanted) voting = (await import('./voting.ts')).startVoting(deps);
  };
  const queue = (): Promise<unknown> => {
    jobs = jobs.then(follow).catch(deps.onError);
    return jobs;
  };
  finality.onMode(() => void queue());
  void queue();
  return {
    rounds: () => voting?.rounds() ?? null,
    doubleVotes: () => voting?.doubleVotes() ?? [],
    close: async () => {
      isOver = true;
      await queue();
    },
  };
};
