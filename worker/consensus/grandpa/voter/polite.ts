import { bytesToKey } from '../../../bytes/bytes.ts';
import {
  createPeerViews,
  type Gossip,
  judgeScope,
  rates,
  repeatedWithinMs,
  type Scope,
  type View,
} from './gossip.ts';
import { decodeMessage, type Message } from './messages.ts';

/** The links to other nodes, which carry the messages of `/grandpa/1`. */
export type Carrier = Omit<Gossip, 'broadcast'> & {
  /** Those who may be sent to. */
  peers(): readonly string[];
};

/** The carrier of a node without connections. */
export const noCarrier: Carrier = {
  peers: () => [],
  send: () => undefined,
  rate: () => undefined,
  onMessage: () => () => undefined,
  onPeer: () => () => undefined,
  onLeave: () => () => undefined,
};

/** Gossip that lasts longer than the voters of one authority set. */
export type PoliteGossip = Gossip & {
  /** Where the peers are. */
  readonly views: ReturnType<typeof createPeerViews>;
  /** How many votes and commits a peer is known to have. */
  knownTo(peer: string): number;
  close(): void;
};

/** How many votes and commits a peer is known to have: those of the last rounds of a large set. */
const maxKnown = 4096;

/** Where a peer is taken to be until it has sent a neighbor packet. */
const unsaid: View = { setId: 0n, round: 1n, height: 0 };

type Passed = { readonly key: string; readonly scope: Scope };

/** Identifies what is passed on to everybody, without its signatures; null for messages to one peer. */
const identify = (message: Message): Passed | null => {
  if (message.type !== 'vote' && message.type !== 'commit') return null;
  const { setId, round } = message;
  const at = `${setId} ${round}`;
  if (message.type === 'vote') {
    const { kind, voter, target } = message.vote;
    const key = `${at} ${kind} ${bytesToKey(voter)} ${target.hash}`;
    return { key, scope: { type: 'vote', setId, round } };
  }
  const { hash, number } = message.commit.target;
  return { key: `${at} ${hash}`, scope: { type: 'commit', setId, commit: { target: { number } } } };
};

const isSame = (a: View, b: View): boolean =>
  a.setId === b.setId && a.round === b.round && a.height === b.height;

const isBehind = (a: View, b: View): boolean =>
  a.setId < b.setId || (a.setId === b.setId && a.round < b.round);

/**
 * The votes and commits that a peer has, by their keys. What its neighbor packets leave behind is forgotten: it is not sent
 * any more, and every round brings more.
 */
const createKnown = () => {
  const known = new Map<string, Scope>();
  return {
    has: (key: string): boolean => known.has(key),
    keep: ({ key, scope }: Passed): void => {
      known.set(key, scope);
      if (known.size > maxKnown) known.delete(known.keys().next().value as string);
    },
    forgetPast: (view: View): void => {
      for (const [key, scope] of known) if (judgeScope(view, scope) === rates.past) known.delete(key);
    },
    clear: (): void => known.clear(),
    size: (): number => known.size,
  };
};

type Member = {
  readonly known: ReturnType<typeof createKnown>;
  /** Our last neighbor packet to this peer. */
  lastNeighbor: (View & { readonly atMs: number }) | null;
};

/**
 * Sends each peer only what its last neighbor packet says that it can use, nothing twice, and no neighbor packet
 * that goes back: a peer charges for each of them (sc-consensus-grandpa `communication/gossip.rs`).
 */
export const createPoliteGossip = (carrier: Carrier, now: () => number): PoliteGossip => {
  const views = createPeerViews();
  const members = new Map<string, Member>();
  const memberOf = (peer: string): Member => {
    const known = members.get(peer);
    if (known !== undefined) return known;
    const member: Member = { known: createKnown(), lastNeighbor: null };
    members.set(peer, member);
    return member;
  };
  const isNews = ({ lastNeighbor }: Member, view: View): boolean => {
    if (lastNeighbor === null) return true;
    if (isSame(lastNeighbor, view)) return now() - lastNeighbor.atMs >= repeatedWithinMs;
    return !isBehind(view, lastNeighbor);
  };
  const offer = (peer: string, bytes: Uint8Array, message: Message): void => {
    const member = memberOf(peer);
    if (message.type === 'neighbor') {
      if (!isNews(member, message)) return;
      const { setId, round, height } = message;
      member.lastNeighbor = { setId, round, height, atMs: now() };
    }
    const passed = identify(message);
    if (passed !== null) {
      if (member.known.has(passed.key) || judgeScope(views.get(peer) ?? unsaid, message) !== null) return;
      member.known.keep(passed);
    }
    carrier.send(peer, bytes);
  };
  /** What a peer has sent, it has. */
  const note = (peer: string, message: Message): void => {
    const passed = identify(message);
    if (passed !== null) memberOf(peer).known.keep(passed);
    const before = views.get(peer);
    // A voter that repeats its position after a long time may have lost what it had.
    if (message.type === 'neighbor' && before !== null && isSame(before, message))
      if (now() - before.atMs >= repeatedWithinMs) members.get(peer)?.known.clear();
  };
  const off = carrier.onLeave((peer) => {
    members.delete(peer);
    views.forget(peer);
  });
  return {
    views,
    knownTo: (peer) => members.get(peer)?.known.size() ?? 0,
    broadcast: (bytes, from) => {
      const message = decodeMessage(bytes);
      if (message === null) return;
      for (const peer of carrier.peers()) if (peer !== from) offer(peer, bytes, message);
    },
    send: (peer, bytes) => {
      const message = decodeMessage(bytes);
      if (message !== null) offer(peer, bytes, message);
    },
    rate: carrier.rate,
    onMessage: (listener) =>
      carrier.onMessage((peer, bytes) => {
        const message = decodeMessage(bytes);
        if (message !== null) note(peer, message);
        listener(peer, bytes);
        const view = message?.type === 'neighbor' ? views.get(peer) : null;
        if (view !== null) members.get(peer)?.known.forgetPast(view);
      }),
    onPeer: carrier.onPeer,
    onLeave: carrier.onLeave,
    close: off,
  };
};
