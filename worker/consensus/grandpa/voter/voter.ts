import type { BlockRef } from '../../../chain/tree.ts';
import type { Crypto } from '../../../crypto/crypto.ts';
import type { WeightedAuthority } from '../../../executor/runtime-api-consensus.ts';
import { createActiveTime, createTimer } from '../../../tasks/timer.ts';
import type { SignatureCrypto } from '../verify.ts';
import { type CatchUps, createCatchUps } from './catch-ups.ts';
import { createChecks } from './checks.ts';
import { type createPeerViews, type Gossip, rates, type View } from './gossip.ts';
import { type Senders, startInbox } from './inbox.ts';
import type { Lineage } from './lineage.ts';
import { createMachine, type DoubleVote, type Effect, type MachineChain, type Report } from './machine.ts';
import { type Commit, encodeMessage, type Vote, votePayload } from './messages.ts';
import { castVote, createRecordWriter, recordCompleted, recordVote, type VoterRecord } from './record.ts';
import { createRounds } from './rounds.ts';

export type VoterDeps = {
  readonly module: WebAssembly.Module;
  readonly crypto: SignatureCrypto & Pick<Crypto, 'ed25519Sign'>;
  readonly lineage: Lineage;
  readonly bestOn: MachineChain['bestOn'];
  readonly finalized: () => BlockRef;
  /** Whether there is nothing to vote on. While idle, a voter without peers stops its clock. */
  readonly isIdle: () => boolean;
  readonly gossip: Gossip;
  /** Where its peers are. */
  readonly peers: ReturnType<typeof createPeerViews>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Resolves when the record is on disk. */
  readonly persist: (record: VoterRecord) => Promise<void>;
  readonly finalize: (round: bigint, commit: Commit) => Promise<void>;
  readonly onDoubleVote: (found: DoubleVote) => void;
  readonly onError: (error: unknown) => void;
};

export type VoterOptions = {
  readonly setId: bigint;
  readonly authorities: readonly WeightedAuthority[];
  /** Null for an observer, which follows the votes of others and casts none. */
  readonly key: { readonly publicKey: Uint8Array; readonly secret: Uint8Array } | null;
  readonly gossipMs: number;
  /** The time between neighbor packets; null without peers. */
  readonly neighborMs: number | null;
};

/** The voter, or observer, of one authority set. */
export type Voter = {
  /** Something has changed: a block arrived, or finality moved. */
  wake(): void;
  /** Whether it has ended by itself, after an error. */
  isOver(): boolean;
  report(): Report;
  record(): VoterRecord;
  /** Resolves when the voter has stopped: no vote leaves afterwards. */
  close(): Promise<void>;
};

type Key = NonNullable<VoterOptions['key']>;
type Signing = Pick<VoterDeps, 'crypto'> & Pick<VoterOptions, 'setId'>;

const signVote = ({ crypto, setId }: Signing, { secret, publicKey }: Key, round: bigint, vote: Vote) => ({
  ...vote,
  signature: crypto.ed25519Sign(secret, votePayload(vote, round, setId)),
  voter: publicKey,
});

/** Creates the parts of a voter that hold its state. */
const createParts = (deps: VoterDeps, options: VoterOptions, record: VoterRecord) => {
  const time = createActiveTime(deps.now);
  const { setId, authorities, key, gossipMs } = options;
  const { last } = record;
  const { round, votes, base } = last;
  const { lineage, bestOn } = deps;
  const machine = createMachine(
    deps.module,
    { between: lineage.between, bestOn },
    {
      setId,
      authorities,
      local: key?.publicKey ?? null,
      gossipMs,
      round,
      votes,
      base,
      finalized: deps.finalized(),
    },
    time.read(),
  );
  const rounds = createRounds();
  for (const vote of votes) rounds.add(round, vote);
  const senders: Senders = { commits: [], catchUps: [] };
  return { time, machine, rounds, senders, writer: createRecordWriter(deps.persist, record) };
};

type Parts = ReturnType<typeof createParts>;
/** How many times its duration a round lasts at most before its commit is sent (finality-grandpa `round_commit_timer`). */
const commitRounds = 2;

type Position = { round: bigint; commitRound: bigint; lastCommit: Uint8Array | null };

const createSender = (deps: VoterDeps, options: VoterOptions, at: Position) => {
  const { gossip } = deps;
  const { setId } = options;
  const neighbor = (): Uint8Array =>
    encodeMessage({ type: 'neighbor', round: at.round, setId, height: deps.finalized().number });
  /** The message of a commit, which is the last one unless a later round has finalized a block meanwhile. */
  const keepCommit = (round: bigint, commit: Commit): Uint8Array => {
    const bytes = encodeMessage({ type: 'commit', round, setId, commit });
    if (round < at.commitRound) return bytes;
    at.commitRound = round;
    at.lastCommit = bytes;
    return bytes;
  };
  const late = createTimer(deps.schedule, () => {
    if (at.lastCommit !== null) gossip.broadcast(at.lastCommit);
  });
  return {
    neighbor: (): void => gossip.broadcast(neighbor()),
    greet: (peer: string): void => gossip.send(peer, neighbor()),
    keepCommit,
    commit: (round: bigint, commit: Commit): void => gossip.broadcast(keepCommit(round, commit)),
    /**
     * The machine makes no commit while the voter is idle, but light clients get no votes: the last commit is sent when
     * the others have had the time to say that they need none.
     */
    commitLater: (): void => late.set(commitRounds * options.gossipMs),
    close: late.clear,
  };
};

/** Does what the machine asks, in its order. Returns whether the machine has new input. */
const createActions = (
  deps: VoterDeps,
  options: VoterOptions,
  parts: Parts,
  at: Position,
  catchUps: CatchUps,
) => {
  const { machine, rounds, writer, senders } = parts;
  const { setId, key } = options;
  const sender = createSender(deps, options, at);
  const charge = (peer: string | undefined, isGood: boolean, cost: number): void => {
    if (peer !== undefined && !isGood) deps.gossip.rate(peer, cost);
  };
  /** A good commit finalizes the block for others, too. */
  const judgeCommit = (isGood: boolean): void => {
    const sender = senders.commits.shift();
    charge(sender?.peer, isGood, rates.invalidCommit);
    if (sender !== undefined && isGood) deps.gossip.broadcast(encodeMessage(sender.message), sender.peer);
  };
  const judgeCatchUp = (isGood: boolean): void => {
    const sender = senders.catchUps.shift();
    if (sender === undefined) return;
    // While it waited for its blocks, votes have brought this voter as far: finality-grandpa then calls it bad unread.
    const isUseless = !isGood && sender.round <= at.round;
    charge(sender.peer, isGood || isUseless, rates.invalidCatchUp);
    if (isGood || isUseless) catchUps.approve(sender.peer);
  };
  const remember = (effects: readonly Effect[]): void => {
    for (const effect of effects) {
      if (effect.kind === 'vote') writer.set(recordVote(writer.record(), effect.round, effect.vote));
      if (effect.kind === 'completed') writer.set(recordCompleted(writer.record(), effect));
    }
  };
  const cast = ({ round, vote }: Extract<Effect, { kind: 'vote' }>): boolean => {
    if (key === null) return false;
    // After a restart, the earlier vote is repeated, even if the machine would now vote differently.
    const own = castVote(writer.record(), round, vote.kind) ?? vote;
    const signed = signVote({ ...deps, setId }, key, round, own);
    rounds.add(round, signed);
    deps.gossip.broadcast(encodeMessage({ type: 'vote', round, setId, vote: signed }));
    return machine.vote(round, signed);
  };
  const begin = (round: bigint): boolean => {
    if (round > at.round) {
      at.round = round;
      rounds.begin(round);
      sender.neighbor();
    }
    const known = rounds.of(round);
    for (const vote of known) machine.vote(round, vote);
    return known.length > 0;
  };
  const act = async (effect: Effect): Promise<boolean> => {
    if (effect.kind === 'vote') return cast(effect);
    if (effect.kind === 'round') return begin(effect.round);
    // Votes of a round that was caught up with: peers one round behind need them too.
    if (effect.kind === 'completed') for (const vote of effect.votes) rounds.keepCounted(effect.round, vote);
    if (effect.kind === 'double-vote') deps.onDoubleVote(effect);
    if (effect.kind === 'commit-judged') judgeCommit(effect.isGood);
    if (effect.kind === 'catch-up-judged') judgeCatchUp(effect.verdict !== 'bad');
    if (effect.kind === 'commit') sender.commit(effect.round, effect.commit);
    if (effect.kind === 'ended') throw new Error(`The GRANDPA voter has ended: ${effect.reason}`);
    if (effect.kind !== 'finalized') return false;
    await deps.finalize(effect.round, effect.commit);
    sender.keepCommit(effect.round, effect.commit);
    sender.neighbor();
    if (deps.isIdle()) sender.commitLater();
    return false;
  };
  return { remember, act, sender };
};

/** Lets the machine work whenever there is something new, one turn at a time. */
const createWork = (
  deps: VoterDeps,
  { machine, time, writer }: Parts,
  actions: ReturnType<typeof createActions>,
) => {
  let isOver = false;
  let isAgain = false;
  let working: Promise<void> | null = null;
  const pollOnce = async (): Promise<void> => {
    const effects = machine.poll(time.read());
    actions.remember(effects);
    await writer.flush();
    for (const effect of effects) {
      if (isOver) return;
      isAgain = (await actions.act(effect)) || isAgain;
    }
  };
  const work = async (): Promise<void> => {
    try {
      do {
        isAgain = false;
        time.setRunning(!deps.isIdle());
        await pollOnce();
      } while (isAgain && !isOver);
    } catch (error) {
      isOver = true;
      deps.onError(error);
    }
    working = null;
    const due = machine.dueMs();
    if (!isOver && !deps.isIdle()) timer.set(due === null ? null : due - time.read());
  };
  const wake = (): void => {
    if (isOver) return;
    isAgain = true;
    working ??= work();
  };
  const timer = createTimer(deps.schedule, wake);
  return {
    wake,
    isOver: () => isOver,
    close: async (): Promise<void> => {
      isOver = true;
      timer.clear();
      await working;
    },
  };
};

/** Begins to vote, or to follow the votes of others. The record must be the one stored, or a later one. */
export const startVoter = (deps: VoterDeps, options: VoterOptions, record: VoterRecord): Voter => {
  const parts = createParts(deps, options, record);
  const at: Position = { round: record.last.round, commitRound: 0n, lastCommit: null };
  const view = (): View => ({ setId: options.setId, round: at.round, height: deps.finalized().number });
  const catchUps = createCatchUps({ ...deps, view });
  const actions = createActions(deps, options, parts, at, catchUps);
  const work = createWork(deps, parts, actions);
  const receiver = startInbox({
    ...deps,
    ...parts,
    checks: createChecks({ ...deps, ...options }),
    view,
    catchUps,
    last: () => parts.writer.record().last,
    greet: actions.sender.greet,
    lastCommit: () => at.lastCommit,
    isOver: work.isOver,
    onInput: work.wake,
  });
  const again = createTimer(deps.schedule, () => {
    actions.sender.neighbor();
    again.set(options.neighborMs);
  });
  again.set(options.neighborMs);
  // Peers of the set before learn where this one begins.
  actions.sender.neighbor();
  work.wake();
  return {
    wake: () => {
      if (work.isOver()) return;
      receiver.retry();
      work.wake();
    },
    isOver: work.isOver,
    report: parts.machine.report,
    record: parts.writer.record,
    close: async () => {
      receiver.close();
      again.clear();
      actions.sender.close();
      await work.close();
    },
  };
};
