import { bytesToKey, textToBytes } from '../../bytes/bytes.ts';
import type { Chain } from '../../chain/chain.ts';
import type { ChainEvent } from '../../chain/events.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { KeyPair } from '../../crypto/keys.ts';
import type { Database } from '../../db/database.ts';
import type { Keystore } from '../../keystore/keystore.ts';
import { type AuthoritySet, effective } from './authorities.ts';
import { grandpaEngine } from './codec.ts';
import { createIsBelow, type Grandpa } from './grandpa.ts';
import { type Gossip, noGossip } from './voter/gossip.ts';
import { justify } from './voter/justify.ts';
import { createLineage, type Lineage } from './voter/lineage.ts';
import type { Commit } from './voter/messages.ts';
import { type DoubleVote, loadMachineModule, type Report } from './voter/module.ts';
import {
  continueRecord,
  decodeRecord,
  encodeRecord,
  restartRecord,
  type VoterRecord,
  voterKey,
} from './voter/record.ts';
import { chooseTarget } from './voter/targets.ts';
import { startVoter, type Voter } from './voter/voter.ts';

export type VotingDeps = {
  readonly chain: Pick<
    Chain,
    'best' | 'finalized' | 'finalize' | 'loadHashAt' | 'loadHeader' | 'onEvent' | 'unfinalized' | 'view'
  >;
  readonly grandpa: Pick<Grandpa, 'loadSet'>;
  readonly keystore: Pick<Keystore, 'pairs'>;
  readonly crypto: Crypto;
  readonly db: Pick<Database, 'get' | 'write'>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Resolves when watchers have been notified of every block announced so far. */
  readonly settled: () => Promise<void>;
  readonly onError: (error: unknown) => void;
  /** Default: none, as without connections. */
  readonly gossip?: Gossip;
  readonly gossipMs?: number;
};

/** The rounds of the running voter. */
export type RoundsOfSet = Report & { readonly set: AuthoritySet };

/** Votes for this node's key while it is open. */
export type Voting = {
  /** Null while no key of the keystore is in the authority set. */
  rounds(): RoundsOfSet | null;
  /** The last double votes of others, oldest first. */
  doubleVotes(): readonly DoubleVote[];
  close(): Promise<void>;
};

/** The node template's. A block is final four of these after it is best, at the earliest. */
export const defaultGossipMs = 333;
/** Neighbor packets are repeated after two minutes, as in the SDK. */
const neighborMs = 120_000;

/** The key of the keystore that is in the set. */
const findKey = ({ keystore }: VotingDeps, { authorities }: AuthoritySet): KeyPair | null => {
  const names = new Set(authorities.map(({ publicKey }) => bytesToKey(publicKey)));
  return keystore.pairs('gran').find(({ publicKey }) => names.has(bytesToKey(publicKey))) ?? null;
};

/** Adds the blocks of the tree, and those between the base of the last round and the finalized block. */
const fillLineage = async ({ chain }: VotingDeps, lineage: Lineage, base: BlockRef): Promise<void> => {
  for (const block of chain.unfinalized()) lineage.add(block);
  let { hash, number } = chain.finalized();
  while (number > base.number) {
    const parent = lineage.get(hash)?.parent;
    const header = parent === undefined ? null : await chain.loadHeader(parent);
    if (parent === undefined || header === null) return;
    number = header.number;
    hash = parent;
    lineage.add({ hash, number, parent: bytesToBlockHash(header.parentHash) });
  }
};

/** The first height above finality at which the set changes on a block's branch. */
const changeHeightOf =
  ({ chain }: VotingDeps, pending: () => AuthoritySet) =>
  (block: BlockRef): number | null => {
    const set = pending();
    const isBelow = createIsBelow(chain.view, null);
    const heights = set.scheduled
      .filter((change) => change.hash === block.hash || isBelow(change, block))
      .map(effective);
    return heights.length === 0 ? null : Math.min(...heights);
  };

const finalizeWith =
  ({ chain }: VotingDeps) =>
  async (round: bigint, commit: Commit): Promise<void> => {
    const { hash, number } = commit.target;
    // The operator, or a justification, may have been faster.
    if (number <= chain.finalized().number) return;
    const proof = await justify(round, commit, chain.loadHeader);
    if (proof !== null) await chain.finalize(hash, [textToBytes(grandpaEngine), proof]);
  };

/** Loads and stores the voter's record. */
const createStore = ({ db }: VotingDeps) => ({
  load: async (): Promise<VoterRecord | null> => {
    const bytes = await db.get('auxiliary', voterKey);
    return bytes === null ? null : decodeRecord(bytes);
  },
  // A power cut must not make the node forget a vote that has left.
  save: (record: VoterRecord): Promise<void> =>
    db.write({ puts: [['auxiliary', voterKey, encodeRecord(record)]], deletes: [], isStrict: true }),
});

type Session = {
  readonly voter: Voter;
  readonly lineage: Lineage;
  /** Its pending changes follow the chain; another set means another session. */
  set: AuthoritySet;
};

/** Whether rounds can begin on a block. It is false if the chain was moved and the node stopped before the voter knew. */
const isFinal = async ({ chain }: VotingDeps, { hash, number }: BlockRef): Promise<boolean> =>
  number <= chain.finalized().number && (await chain.loadHashAt(number)) === hash;

/** Double votes are kept for the operator to see: the last ones. */
const maxDoubleVotes = 32;

/** Starts a voter for the current set. Null if none of the node's keys is in it. */
const openSession = async (
  deps: VotingDeps,
  isMoved: boolean,
  onDoubleVote: (found: DoubleVote) => void,
): Promise<Session | null> => {
  const { chain, grandpa } = deps;
  const set = await grandpa.loadSet(chain.view);
  const key = set === null ? null : findKey(deps, set);
  if (set === null || key === null) return null;
  const store = createStore(deps);
  const [module, stored] = await Promise.all([loadMachineModule(), store.load()]);
  const finalized = chain.finalized();
  const isLost = stored !== null && !(await isFinal(deps, stored.last.base));
  const record = (isMoved || isLost ? restartRecord : continueRecord)(stored, set.setId, finalized);
  if (record !== stored) await store.save(record);
  const lineage = createLineage();
  await fillLineage(deps, lineage, record.last.base);
  const session = { set };
  const isAlone = set.authorities.length === 1;
  const leaves = (): BlockRef[] => {
    const all = chain.unfinalized();
    const parents = new Set<BlockHash>(all.map(({ parent }) => parent));
    return all.filter(({ hash }) => !parents.has(hash));
  };
  const view = {
    lineage,
    best: chain.best,
    leaves,
    changeHeight: changeHeightOf(deps, () => session.set),
    isRuled: !isAlone,
  };
  const voter = startVoter(
    {
      ...deps,
      module,
      lineage,
      gossip: deps.gossip ?? noGossip,
      finalized: chain.finalized,
      bestOn: (base) => chooseTarget(view, base),
      isIdle: () => isAlone && chain.best().hash === chain.finalized().hash,
      persist: store.save,
      finalize: finalizeWith(deps),
      onDoubleVote,
    },
    {
      setId: set.setId,
      authorities: set.authorities,
      key: { publicKey: key.publicKey, secret: key.secret },
      gossipMs: deps.gossipMs ?? defaultGossipMs,
      neighborMs: isAlone ? null : neighborMs,
    },
    record,
  );
  return Object.assign(session, { voter, lineage });
};

/** Blocks below the base of the last round are not asked for any more. */
const follow = ({ voter, lineage }: Session, event: ChainEvent): void => {
  if (event.kind === 'imported') {
    const { hash, number, header } = event;
    lineage.add({ hash, number, parent: bytesToBlockHash(header.parentHash) });
  }
  if (event.kind === 'finalized') lineage.forgetBelow(voter.record().last.base.number);
};

/** Starts to vote, and follows the chain: another set or a moved chain means another voter. */
export const startVoting = (deps: VotingDeps): Voting => {
  const { chain, grandpa, onError } = deps;
  let session: Session | null = null;
  let isOver = false;
  let jobs: Promise<unknown> = Promise.resolve();
  let doubleVotes: readonly DoubleVote[] = [];
  const keep = (found: DoubleVote): void => {
    doubleVotes = [...doubleVotes, found].slice(-maxDoubleVotes);
  };
  const end = async (): Promise<void> => {
    const ending = session;
    session = null;
    await ending?.voter.close();
  };
  const open = async (isMoved: boolean): Promise<void> => {
    await end();
    if (!isOver) session = await openSession(deps, isMoved, keep);
  };
  /** A block may bring another set, finality certainly may, and a key may have been added. */
  const check = async (): Promise<void> => {
    await deps.settled();
    if (isOver) return;
    const set = await grandpa.loadSet(chain.view);
    // A voter that has ended after an error, such as a full disk, is tried again with the next block.
    if (session === null || session.voter.isOver() || set?.setId !== session.set.setId) return open(false);
    session.set = set;
    session.voter.wake();
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
    rounds: () => (session === null ? null : { ...session.voter.report(), set: session.set }),
    doubleVotes: () => doubleVotes,
    close: async () => {
      isOver = true;
      off();
      await jobs;
      await end();
    },
  };
};
