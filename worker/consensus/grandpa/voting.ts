import { equalBytes } from '../../bytes/bytes.ts';
import { Writer } from '../../bytes/writer.ts';
import type { Chain } from '../../chain/chain.ts';
import { makeReport } from '../report-equivocation.ts';
import type { AuthoritySet } from './authorities.ts';
import type { DoubleVote, Report } from './voter/machine.ts';
import { createPoliteGossip, noCarrier } from './voter/polite.ts';
import {
  closeSession,
  follow,
  holdsWholeSet,
  isStale,
  openSession,
  type Session,
  type SessionDeps,
  type VotingDeps,
} from './voter/session.ts';

type Deps = {
  readonly chain: Pick<Chain, 'best' | 'callAt' | 'finalized'>;
  readonly submit: (extrinsic: Uint8Array) => Promise<{ readonly ok: boolean }>;
};

/** sp-consensus-grandpa `EquivocationProof`. */
const encodeProof = (setId: bigint, { phase, bytes }: DoubleVote): Uint8Array =>
  new Writer(256)
    .u64(setId)
    .u8(phase === 'prevote' ? 0 : 1)
    .raw(bytes)
    .finish();

/**
 * Reports a double vote to the pool through the runtime API (sc-consensus-grandpa `report_equivocation`). Returns
 * whether the pool took it.
 */
export const reportDoubleVote = async (
  { chain, submit }: Deps,
  setId: bigint,
  found: DoubleVote,
): Promise<boolean> => {
  const [extrinsic] = await makeReport(chain, {
    api: 'GrandpaApi',
    claim: new Writer(40).u64(setId).raw(found.voter).finish(),
    proof: encodeProof(setId, found),
    // The best block may belong to the next session; the finalized one belongs to the set that votes.
    at: [chain.finalized().hash],
  });
  return extrinsic !== undefined && (await submit(extrinsic)).ok;
};

/** The rounds of the running voter. */
export type RoundsOfSet = Report & { readonly set: AuthoritySet };

/** Votes with this node's keys while it is open, or follows the votes of others if it has none. */
export type Voting = {
  /** Null while the set's rounds are not followed. */
  rounds(): RoundsOfSet | null;
  /** The last double votes of others, oldest first. */
  doubleVotes(): readonly DoubleVote[];
  close(): Promise<void>;
};

/** Double votes are kept for the operator to see: the last ones. */
const maxDoubleVotes = 32;

/** Starts to vote or to observe, and follows the chain: another set or a moved chain means another voter. */
export const startVoting = (given: VotingDeps): Voting => {
  const gossip = createPoliteGossip(given.gossip ?? noCarrier, given.now);
  const deps: SessionDeps = { ...given, gossip };
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
      gossip.close();
    },
  };
};

export type WatchedModes = {
  /** Whether the keystore holds the whole authority set. */
  followKeys(isWhole: boolean): void;
};

type WatchDeps = Pick<VotingDeps, 'chain' | 'grandpa' | 'keystore'> & {
  /** Runs one job after the other. */
  readonly run: (job: () => Promise<void>) => void;
};

/**
 * Reports now, and with the block after each new key, whether the keystore holds the whole authority set. Returns
 * the function that ends it.
 */
export const watchKeys = (deps: WatchDeps, modes: WatchedModes): (() => void) => {
  const { chain, keystore, run } = deps;
  let known: number | null = null;
  let isOver = false;
  const look = async (): Promise<void> => {
    const count = keystore.publicKeys('gran', 'ed25519').length;
    if (isOver || count === known) return;
    known = count;
    let isWhole = false;
    try {
      isWhole = count > 0 && (await holdsWholeSet(deps));
    } finally {
      modes.followKeys(isWhole);
    }
  };
  const off = chain.onEvent((event) => {
    if (event.kind === 'imported') run(look);
  });
  run(look);
  return (): void => {
    isOver = true;
    off();
  };
};
