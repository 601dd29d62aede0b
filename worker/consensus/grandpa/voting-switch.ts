import type { FinalityMode } from '../../../src/protocol/node.ts';
import type { DoubleVote } from './voter/module.ts';
import type { VotingDeps } from './voter/session.ts';
import type { RoundsOfSet, Voting } from './voting.ts';

/** Votes while the finality mode is `grandpa`. */
export type VotingSwitch = {
  /** Null while this node does not vote. */
  rounds(): RoundsOfSet | null;
  /** The last double votes of others; empty while this node does not vote. */
  doubleVotes(): readonly DoubleVote[];
  close(): Promise<void>;
};

type Modes = {
  mode(): FinalityMode;
  onMode(listener: () => void): void;
  followKeys(isWhole: boolean): void;
};

/** After the runtime has been compiled for the session keys, and before a block can become final. */
const restMs = 200;

/** Reports, after the start and with the block after each new key, whether the keystore holds the whole authority set. */
const watchKeys = (deps: VotingDeps, finality: Modes) => {
  const { chain, keystore, schedule, onError } = deps;
  let known = 0;
  const look = async (): Promise<void> => {
    const count = keystore.publicKeys('gran', 'ed25519').length;
    if (count === known) return;
    known = count;
    finality.followKeys(await (await import('./voter/session.ts')).holdsWholeSet(deps));
  };
  let looking: Promise<void> = Promise.resolve();
  const run = (): void => {
    looking = looking.then(look).catch(onError);
  };
  const cancel = schedule(restMs, run);
  const off = chain.onEvent((event) => {
    if (event.kind === 'imported') run();
  });
  return async (): Promise<void> => {
    cancel();
    off();
    await looking;
  };
};

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
  const unwatch = watchKeys(deps, finality);
  void queue();
  return {
    rounds: () => voting?.rounds() ?? null,
    doubleVotes: () => voting?.doubleVotes() ?? [],
    close: async () => {
      isOver = true;
      await unwatch();
      await queue();
    },
  };
};
