import type { FinalityMode } from '../../../src/protocol/node.ts';
import type { DoubleVote } from './voter/machine.ts';
import type { VotingDeps } from './voter/session.ts';
import type { RoundsOfSet, Voting, WatchedModes } from './voting.ts';

/** Votes while the finality mode is `grandpa`. */
export type VotingSwitch = {
  /** Null while this node does not vote. */
  rounds(): RoundsOfSet | null;
  /** The last double votes of others; empty while this node does not vote. */
  doubleVotes(): readonly DoubleVote[];
  close(): Promise<void>;
};

type Modes = WatchedModes & { mode(): FinalityMode; onMode(listener: () => void): void };

/** Runs after the runtime has been compiled for the session keys, and before a block can become final. */
const restMs = 350;

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
  let unwatch = (): void => undefined;
  const watch = async (): Promise<void> => {
    const { watchKeys } = await import('./voting.ts');
    if (!isOver) unwatch = watchKeys({ ...deps, run }, finality);
  };
  const run = (job: () => Promise<void>): void => {
    jobs = jobs.then(job).catch(deps.onError);
  };
  finality.onMode(() => run(follow));
  const cancel = deps.schedule(restMs, () => run(watch));
  run(follow);
  return {
    rounds: () => voting?.rounds() ?? null,
    doubleVotes: () => voting?.doubleVotes() ?? [],
    close: async () => {
      isOver = true;
      cancel();
      unwatch();
      run(follow);
      await jobs;
    },
  };
};
