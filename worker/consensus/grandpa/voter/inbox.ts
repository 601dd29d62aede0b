import { type createChecks, namedBlocks, type Validity } from './checks.ts';
import { createPeers, type Gossip, judgeScope, rates, type View } from './gossip.ts';
import { decodeMessage, encodeMessage, type Message } from './messages.ts';
import type { Completed } from './record.ts';
import type { Rounds } from './rounds.ts';

/** Messages that wait for their blocks. */
const maxWaiting = 512;
/** A voter this many rounds behind asks to catch up. */
const catchUpDistance = 2n;

/** Messages with signatures. */
export type Content = Extract<Message, { type: 'vote' | 'commit' | 'catch-up' }>;

export type InboxDeps = {
  readonly gossip: Gossip;
  readonly checks: ReturnType<typeof createChecks>;
  readonly rounds: Rounds;
  readonly view: () => View;
  readonly last: () => Completed;
  /** Sends a peer our neighbor packet. */
  readonly greet: (peer: string) => void;
  /** The commit that finalized the last block; null if there is none. */
  readonly lastCommit: () => Uint8Array | null;
  /** Takes a checked message. */
  readonly take: (message: Content, peer: string) => void;
};

type Kept = { readonly peer: string; readonly bytes: Uint8Array };

const costOf = (validity: Validity, type: Message['type']): number => {
  if (validity === 'unknown-voter') return rates.unknownVoter;
  if (type === 'commit') return rates.invalidCommit;
  return type === 'catch-up' ? rates.invalidCatchUp : rates.badSignature;
};

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

/** What neighbor packets and requests to catch up are answered with. */
const createReplies = (deps: InboxDeps) => {
  const { gossip, rounds } = deps;
  const peers = createPeers();
  /** The round that a request is out for. */
  let asked: bigint | null = null;
  const sendVotes = (peer: string, round: bigint, isRepeated: boolean): void => {
    const { setId } = deps.view();
    for (const vote of rounds.of(round, isRepeated ? null : peer))
      gossip.send(peer, encodeMessage({ type: 'vote', round, setId, vote }));
  };
  const help = (peer: string, theirs: View, isRepeated: boolean): void => {
    const ours = deps.view();
    if (theirs.setId !== ours.setId) return;
    if (theirs.round >= ours.round + catchUpDistance && asked !== theirs.round - 1n) {
      asked = theirs.round - 1n;
      const request = { type: 'catch-up-request', round: asked, setId: ours.setId } as const;
      gossip.send(peer, encodeMessage(request));
    }
    sendVotes(peer, theirs.round - 1n, isRepeated);
    sendVotes(peer, theirs.round, isRepeated);
    const commit = deps.lastCommit();
    if (theirs.height < ours.height && commit !== null) gossip.send(peer, commit);
  };
  const onNeighbor = (peer: string, theirs: View): void => {
    const ours = deps.view();
    // Our own packet may have left before the peer voted: without it a peer that is behind asks for nothing.
    const isBehind = theirs.setId === ours.setId && theirs.round + catchUpDistance <= ours.round;
    const known = peers.get(peer);
    if (isBehind || known === null) deps.greet(peer);
    // A voter that stopped, or waits for long, may have lost what it sent itself.
    const isRepeated = known?.round === theirs.round && known.height === theirs.height;
    const isForward = peers.note(peer, theirs);
    gossip.rate(peer, isForward ? rates.neighbor : rates.viewChange);
    if (isForward) help(peer, theirs, isRepeated);
  };
  const onRequest = (peer: string, round: bigint): void => {
    const { setId } = deps.view();
    const last = deps.last();
    if (last.round < round || last.votes.length === 0) gossip.rate(peer, rates.outOfScope);
    else gossip.send(peer, toCatchUp(setId, last));
  };
  return {
    onNeighbor,
    onRequest,
    /** Lets a lost request be repeated. */
    forgetRequest: (): void => {
      asked = null;
    },
  };
};

/** Checks what arrives, and keeps what is too early. */
export const createInbox = (deps: InboxDeps) => {
  const { gossip, checks } = deps;
  const replies = createReplies(deps);
  let waiting: Kept[] = [];
  const wait = (peer: string, bytes: Uint8Array): void => {
    waiting.push({ peer, bytes });
    if (waiting.length > maxWaiting) waiting.shift();
  };
  const check = (peer: string, bytes: Uint8Array, message: Content): void => {
    // Most votes arrive from several peers, and their signatures are what costs.
    if (message.type === 'vote' && deps.rounds.has(message.round, message.vote)) {
      deps.rounds.noteHolder(message.round, message.vote, peer);
      return;
    }
    const validity = validityOf(checks, message);
    const blocks = validity === 'valid' ? checks.blocks(namedBlocks(message)) : 'lie';
    if (blocks === 'lie') gossip.rate(peer, costOf(validity, message.type));
    else if (blocks === 'known') deps.take(message, peer);
    else wait(peer, bytes);
  };
  const sort = (peer: string, bytes: Uint8Array, message: Message): void => {
    const cost = judgeScope(deps.view(), message);
    if (cost !== null) gossip.rate(peer, cost);
    else if (message.type === 'catch-up-request') replies.onRequest(peer, message.round);
    else if (message.type !== 'neighbor') check(peer, bytes, message);
  };
  const receive = (peer: string, bytes: Uint8Array): void => {
    const message = decodeMessage(bytes);
    if (message === null) gossip.rate(peer, Math.max(-0x7fff_ffff, bytes.length * rates.undecodableByte));
    else if (message.type === 'neighbor') replies.onNeighbor(peer, message);
    else sort(peer, bytes, message);
  };
  return {
    receive,
    /** Looks again at what waited for blocks. */
    retry: (): void => {
      const again = waiting;
      waiting = [];
      for (const { peer, bytes } of again) receive(peer, bytes);
    },
    forgetRequest: replies.forgetRequest,
    waiting: () => waiting.length,
  };
};
