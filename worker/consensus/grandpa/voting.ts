import { equalBytes } from '../../bytes/bytes.ts';
import type { AuthoritySet } from './authorities.ts';
import type { DoubleVote, Report } from './voter/module.ts';
import { reportDoubleVote } from './voter/report-double-vote.ts';
import {
  closeSession,
  follow,
  isStale,
  openSession,
  type Session,
  type VotingDeps,
} from './voter/session.ts';

/** The rounds of the running voter. */
export type RoundsOfSet = Report & { readonly set: AuthoritySet };

/** Votes for this node's keys while it is open. */
export type Voting = {
  /** Null while no key of the keystore is in the authority set. */
  rounds(): RoundsOfSet | null;
  /** The last double votes of others, oldest first. */
  doubleVotes(): readonly DoubleVote[];
  close(): Promise<void>;
};

/** Double votes are kept for the operator to see: the last ones. */
const maxDoubleVotes = 32;

/** Starts to vote, and follows the chain: another set or a moved chain means another voter. */
export const startVoting = (deps: VotingDeps): Voting => {
  const { chain, grandpa, onError } = deps;
  let session: Session | null = null;
  let isOver = false;
  let jobs: Promise<unknown> = Promise.resolve();
  let doubleVotes: readonly DoubleVote[] = [];
  const keep = (setId: bigint, found: DoubleVote): void => {
    doubleVotes = [...doubleVotes, found].slice(-maxDoubleVotes);
    // As in the SDK, a node does not report itself.
    const isOwn = session?.keys.some(({ publicKey }) => equalBytes(publicKey, found.voter)) === true;
    if (!isOwn) run(async () => void (await reportDoubleVote(deps, setId, found)));
  };
  const end = async (): Promise<void> => {
    const ending = session;
    session = null;
    if (ending !== null) await closeSession(ending);
  };
  const open = async (isMoved: boolean): Promise<void> => {
    await end();
    if (isOver) return;
    session = await openSession(deps, isMoved, keep);
    // Blocks imported in the meantime were not reported.
    for (const block of session === null ? [] : chain.unfinalized()) session?.lineage.add(block);
    session?.delayRule?.restart();
  };
  /** A block or its finality may bring another set, and a key may have been added. */
  const check = async (): Promise<void> => {
    await deps.settled();
    if (isOver) return;
    const set = await grandpa.loadSet(chain.view);
    // A voter that has ended after an error, such as a full disk, is tried again with the next block.
    if (set === null || session === null || isStale(deps, session, set)) return open(false);
    session.set = set;
    for (const voter of session.voters) voter.wake();
  };
  const run = (job: () => Promise<void>): void => {
    jobs = jobs.then(job).catch(onError);
  };
  const off = chain.onEvent((event) => {
    if (event.kind === 'moved') return run(() => open(true));
    if (session !== null) follow(session, event);
    run(check);
  });
  run(() => open(false));
  return {
    rounds: () => {
      const [voter] = session?.voters ?? [];
      return session === null || voter === undefined ? null : { ...voter.report(), set: session.set };
    },
    doubleVotes: () => doubleVotes,
    close: async () => {
      isOver = true;
      off();
      await jobs;
      await end();
    },
  };
};
