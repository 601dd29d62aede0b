import { createBoundedMap } from '../../../bytes/bounded-map.ts';
import { bytesToKey } from '../../../bytes/bytes.ts';
import { createPeerViews, type Gossip, judgeScope, repeatedWithinMs, type View } from './gossip.ts';
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
  close(): void;
};

/** Votes and commits that a peer has, by `keyOf`: those of the last rounds of a large set. */
const maxKnown = 4096;

/** Where a peer is taken to be until it has sent a neighbor packet. */
const unsaid: View = { setId: 0n, round: 1n, height: 0 };

/** Identifies what is passed on to everybody; null for messages to one peer. */
const keyOf = (message: Message): string | null => {
  const at = `${message.setId}`;
  if (message.type === 'vote') {
    const { kind, voter, target } = message.vote;
    return `${at} ${message.round} ${kind} ${bytesToKey(voter)} ${target.hash}`;
  }
  return message.type === 'commit' ? `${at} ${message.round} ${message.commit.target.hash}` : null;
};

const isSame = (a: View, b: View): boolean =>
  a.setId === b.setId && a.round === b.round && a.height === b.height;

const isBehind = (a: View, b: View): boolean =>
  a.setId < b.setId || (a.setId === b.setId && a.round < b.round);

type Member = {
  readonly known: ReturnType<typeof createBoundedMap<string, true>>;
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
    const member: Member = { known: createBoundedMap(maxKnown), lastNeighbor: null };
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
    const key = keyOf(message);
    if (key !== null) {
      if (member.known.has(key) || judgeScope(views.get(peer) ?? unsaid, message) !== null) return;
      member.known.keep(key, true);
    }
    carrier.send(peer, bytes);
  };
  /** What a peer has sent, it has. */
  const note = (peer: string, bytes: Uint8Array): void => {
    const message = decodeMessage(bytes);
    if (message === null) return;
    const key = keyOf(message);
    if (key !== null) memberOf(peer).known.keep(key, true);
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
        note(peer, bytes);
        listener(peer, bytes);
      }),
    onPeer: carrier.onPeer,
    onLeave: carrier.onLeave,
    close: off,
  };
};
