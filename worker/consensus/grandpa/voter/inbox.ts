import { bytesToKey } from '../../../bytes/bytes.ts';
import { type CatchUps, catchUpDistance } from './catch-ups.ts';
import { type createChecks, namedBlocks, type Validity } from './checks.ts';
import {
  type createPeerViews,
  type Gossip,
  judgeScope,
  rates,
  repeatedWithinMs,
  type View,
} from './gossip.ts';
import type { Machine } from './machine.ts';
import { type Content, decodeMessage, encodeMessage, type Message } from './messages.ts';
import type { Completed } from './record.ts';
import type { Rounds } from './rounds.ts';

/** Bytes of messages that wait for their blocks. Each counts as at least this many, so there are at most 512. */
export const maxWaitingBytes = 4 * 1024 * 1024;
const leastBytes = 8192;

type PendingMessage = { readonly peer: string; readonly size: number; readonly message: Content };

/** Messages with valid signatures whose blocks have not arrived. A message that is repeated waits once. */
export const createPendingMessages = () => {
  let kept = new Map<string, PendingMessage>();
  let bytes = 0;
  /** Drops the oldest message of the peer that has sent the most, so that a flood only displaces itself. */
  const drop = (): void => {
    const sizes = new Map<string, number>();
    for (const { peer, size } of kept.values()) sizes.set(peer, (sizes.get(peer) ?? 0) + size);
    const most = Math.max(...sizes.values());
    for (const [key, { peer, size }] of kept) {
      if (sizes.get(peer) !== most) continue;
      kept.delete(key);
      bytes -= size;
      return;
    }
  };
  return {
    has: (message: Uint8Array): boolean => kept.has(bytesToKey(message)),
    /** `encoded`: its bytes, or the key under which it was kept. */
    keep: (peer: string, encoded: Uint8Array | string, message: Content): void => {
      const size = Math.max(leastBytes, encoded.length);
      kept.set(typeof encoded === 'string' ? encoded : bytesToKey(encoded), { peer, size, message });
      bytes += size;
      while (bytes > maxWaitingBytes) drop();
    },
    /** Empties it. */
    takeAll: (): ReadonlyMap<string, PendingMessage> => {
      const all = kept;
      kept = new Map();
      bytes = 0;
      return all;
    },
    size: () => kept.size,
  };
};

/** Larger messages are not read, as in the SDK. */
const maxMessageBytes = 1024 * 1024;

export type InboxDeps = {
  readonly gossip: Gossip;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly checks: ReturnType<typeof createChecks>;
  readonly rounds: Rounds;
  readonly peers: ReturnType<typeof createPeerViews>;
  readonly catchUps: Pick<CatchUps, 'judge' | 'check'>;
  readonly view: () => View;
  readonly last: () => Completed;
  /** Sends a peer our neighbor packet. */
  readonly greet: (peer: string) => void;
  /** The commit that finalized the last block; null if there is none. */
  readonly lastCommit: () => Uint8Array | null;
  /** Takes a checked message. */
  readonly take: (message: Content, peer: string) => void;
};

const costOf = (validity: Validity, type: Message['type']): number => {
  const isMalformed = validity === 'unknown-voter' || validity === 'bad-count';
  if (type === 'commit') return isMalformed ? rates.malformedCommit : rates.invalidCommit;
  if (type === 'catch-up') return isMalformed ? rates.malformedCatchUp : rates.invalidCatchUp;
  return isMalformed ? rates.unknownVoter : rates.badSignature;
};

const benefits = { vote: rates.vote, commit: rates.commit, 'catch-up': rates.catchUp } as const;

const validityOf = (checks: InboxDeps['checks'], message: Content): Validity => {
  if (message.type === 'vote') return checks.vote(message.vote.kind, message.round, message.vote);
  if (message.type === 'commit') return checks.commit(message.round, message.commit);
  return checks.catchUp(message.catchUp);
};

/** The completed round as a reply to a peer that is behind. */
const toCatchUp = (setId: bigint, { round, base, votes }: Completed): Uint8Array => {
  const ofKind = (kind: number) => votes.filter((vote) => vote.kind === kind);
  const catchUp = { round, base, prevotes: ofKind(0), precommits: ofKind(1) };
  return encodeMessage({ type: 'catch-up', setId, catchUp });
};

/** Replies to neighbor packets and to requests to catch up. */
const createReplies = (deps: InboxDeps) => {
  const { gossip, rounds, peers } = deps;
  const sendVotes = (peer: string, round: bigint, isRepeated: boolean): void => {
    const { setId } = deps.view();
    for (const vote of rounds.of(round, isRepeated ? null : peer))
      gossip.send(peer, encodeMessage({ type: 'vote', round, setId, vote }));
  };
  const help = (peer: string, theirs: View, isRepeated: boolean): void => {
    const ours = deps.view();
    if (theirs.setId !== ours.setId) return;
    deps.catchUps.check();
    sendVotes(peer, theirs.round - 1n, isRepeated);
    sendVotes(peer, theirs.round, isRepeated);
    const commit = deps.lastCommit();
    if (theirs.height < ours.height && commit !== null) gossip.send(peer, commit);
  };
  const onNeighbor = (peer: string, { setId, round, height }: View): void => {
    const ours = deps.view();
    const theirs = { setId, round, height, atMs: deps.now() };
    // Our own packet may have been sent before the peer voted; without it, a peer that is behind requests
    // nothing.
    const isBehind = setId === ours.setId && round + catchUpDistance <= ours.round;
    const known = peers.get(peer);
    if (isBehind || known === null) deps.greet(peer);
    // A voter that was stopped, or has been waiting for a long time, may have lost its own messages.
    const isRepeated = known?.setId === setId && known.round === round && known.height === height;
    const isForward = peers.note(peer, theirs);
    const isEarly = isRepeated && theirs.atMs - known.atMs < repeatedWithinMs;
    gossip.rate(peer, rateOf(isForward, isEarly));
    if (isForward) help(peer, theirs, isRepeated);
  };
  /** As in the SDK, charges the sender for a request, and for the reply as well. */
  const costOfRequest = (peer: string, inSet: bigint, round: bigint): number => {
    const { setId, round: ours } = deps.view();
    const isLate = inSet + 1n === setId && ours <= catchUpDistance;
    if (inSet !== setId) return isLate ? rates.honestOutOfScope : rates.outOfScope;
    const known = peers.get(peer);
    const last = deps.last();
    const isKnown = known !== null && known.round < round;
    return isKnown && last.round >= round && last.votes.length > 0 ? rates.catchUpReply : rates.outOfScope;
  };
  const onRequest = (peer: string, inSet: bigint, round: bigint): void => {
    const cost = costOfRequest(peer, inSet, round);
    gossip.rate(peer, cost);
    if (cost === rates.catchUpReply) gossip.send(peer, toCatchUp(inSet, deps.last()));
  };
  return { onNeighbor, onRequest };
};

const rateOf = (isForward: boolean, isEarly: boolean): number => {
  if (!isForward) return rates.viewChange;
  return isEarly ? rates.repeatedNeighbor : rates.neighbor;
};

/** Checks incoming messages, and keeps those that are too early. */
export const createInbox = (deps: InboxDeps) => {
  const { gossip, checks } = deps;
  const replies = createReplies(deps);
  const waiting = createPendingMessages();
  /** Takes a message with valid signatures, once its blocks are known. */
  const place = (peer: string, bytes: Uint8Array | string, message: Content): void => {
    const blocks = checks.blocks(namedBlocks(message));
    if (blocks === 'unknown') waiting.keep(peer, bytes, message);
    else gossip.rate(peer, blocks === 'lie' ? costOf('valid', message.type) : benefits[message.type]);
    if (blocks === 'known') deps.take(message, peer);
  };
  const check = (peer: string, bytes: Uint8Array, message: Content): void => {
    // Most votes arrive from several peers, and verifying their signatures is expensive.
    if (message.type === 'vote' && deps.rounds.has(message.round, message.vote)) {
      deps.rounds.noteHolder(message.round, message.vote, peer);
      return;
    }
    if (waiting.has(bytes)) return;
    const validity = validityOf(checks, message);
    if (validity === 'valid') place(peer, bytes, message);
    else gossip.rate(peer, costOf(validity, message.type));
  };
  const sort = (peer: string, bytes: Uint8Array, message: Content): void => {
    const scope = judgeScope(deps.view(), message);
    const cost =
      scope === null && message.type === 'catch-up' ? deps.catchUps.judge(peer, message.catchUp) : scope;
    if (cost !== null) gossip.rate(peer, cost);
    else check(peer, bytes, message);
  };
  const receive = (peer: string, bytes: Uint8Array): void => {
    const message = bytes.length > maxMessageBytes ? null : decodeMessage(bytes);
    if (message === null) gossip.rate(peer, Math.max(-0x7fff_ffff, bytes.length * rates.undecodableByte));
    else if (message.type === 'neighbor') replies.onNeighbor(peer, message);
    else if (message.type === 'catch-up-request') replies.onRequest(peer, message.setId, message.round);
    else sort(peer, bytes, message);
  };
  return {
    receive,
    /** Checks messages again that waited for blocks. */
    retry: (): void => {
      for (const [key, { peer, message }] of waiting.takeAll())
        if (judgeScope(deps.view(), message) === null) place(peer, key, message);
    },
    waiting: waiting.size,
  };
};

type CommitMessage = Extract<Message, { type: 'commit' }>;

/** Commits and replies to requests that the machine has not judged yet, with their senders, oldest first. */
export type Senders = {
  readonly commits: { readonly peer: string; readonly message: CommitMessage }[];
  readonly catchUps: { readonly peer: string; readonly round: bigint }[];
};

type Deps = Omit<InboxDeps, 'take'> & {
  readonly machine: Pick<Machine, 'vote' | 'commit' | 'catchUp'>;
  readonly senders: Senders;
  readonly catchUps: CatchUps;
  readonly isOver: () => boolean;
  /** The machine has new input. */
  readonly onInput: () => void;
};

/** Receives the messages of other voters, and passes the valid ones to the machine. */
export const startInbox = (deps: Deps) => {
  const { gossip, machine, rounds, senders, catchUps, peers } = deps;
  const take = (message: Content, peer: string): void => {
    if (message.type === 'vote') {
      const isNew = rounds.add(message.round, message.vote);
      rounds.noteHolder(message.round, message.vote, peer);
      // Also a third vote of an equivocator, because earlier ones may be below the base of the round and not
      // count.
      machine.vote(message.round, message.vote);
      // Peers without a link to the voter get it from here.
      if (isNew) gossip.broadcast(encodeMessage(message), peer);
    } else if (message.type === 'commit') {
      senders.commits.push({ peer, message });
      machine.commit(message.round, message.commit);
    } else {
      senders.catchUps.push({ peer, round: message.catchUp.round });
      machine.catchUp(message.catchUp);
    }
    deps.onInput();
  };
  const inbox = createInbox({ ...deps, take });
  const ends = [
    gossip.onMessage((peer, bytes) => {
      if (!deps.isOver()) inbox.receive(peer, bytes);
    }),
    gossip.onPeer(deps.greet),
    gossip.onLeave((peer) => {
      peers.forget(peer);
      catchUps.forget(peer);
    }),
  ];
  return {
    retry: inbox.retry,
    close: (): void => {
      for (const end of ends) end();
      catchUps.close();
    },
  };
};
