import { createBoundedMap } from '../bytes/bounded-map.ts';
import type { BlockRef } from '../chain/tree.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { LinkMessage } from './wire.ts';

/**
 * What messages cost their sender (sc-network, sc-network-sync), in addition to the costs of GRANDPA's
 * gossip.
 */
export const costs = {
  undecodable: -(1 << 12),
  tooLarge: -(1 << 24),
  otherGenesis: -0x7fff_ffff,
  beforeStatus: -(1 << 16),
  badBlock: -(1 << 29),
  badProof: -(1 << 16),
  notRequested: -(1 << 20),
  useless: -(1 << 20),
  flood: -(1 << 10),
  noReply: -(1 << 10),
} as const;

/** A link ends when the reputation falls below this (sc-network `BANNED_THRESHOLD`). */
export const bannedBelow = 71 * Math.trunc(-0x8000_0000 / 100);

/** The share of a reputation, good or bad, that remains after a second (sc-network). */
export const keptPerSecond = 199 / 200;

/** A request without a reply is given up after this time (sc-network-sync). */
export const replyMs = 20_000;

/** A block has at most 5 MB; messages of several blocks end at a smaller size. */
export const maxMessageBytes = 8 * 1024 * 1024;
export const maxResponseBytes = 1024 * 1024;
export const maxResponseBlocks = 64;
/**
 * Maximum bytes of messages that a peer has not handled yet, and how many of its bytes it acknowledges at
 * once.
 */
export const maxUnderWayBytes = 2 * maxMessageBytes;
export const acknowledgedBytes = 64 * 1024;
/** Maximum number of waiting messages per peer, and how many of them may be announcements. */
export const maxQueued = 64;
export const maxQueuedSpare = 48;
/** Maximum number of GRANDPA messages that wait for a voter. */
export const maxEarly = 64;
export const maxEarlyBytes = 1024 * 1024;

/** Hashes remembered per peer, so that no block is sent back to where it came from. */
const maxSeen = 512;

/** The other end of a link. */
export type Peer = {
  readonly name: string;
  /** Blocks that the peer has. */
  readonly seen: ReturnType<typeof createBoundedMap<BlockHash, true>>;
  /** Whether it has said that it is on the same chain. */
  isReady: boolean;
  /** Its best block, as far as it has said. */
  best: BlockRef | null;
  /** How many proofs it has sent that finalized a block here. */
  proofs: number;
  /** The pending request, and a block that was announced in the meantime. */
  request: { readonly target: BlockHash; readonly forget: () => void } | null;
  next: BlockHash | null;
  send(message: LinkMessage): void;
};

type Member = { readonly peer: Peer; readonly end: () => void; score: number; ratedMs: number };

type Carrier = { readonly send: (message: LinkMessage) => void; readonly end: () => void };

type ReceivedMessage = readonly [peer: string, bytes: Uint8Array];

/** Callbacks for GRANDPA messages, for new peers, and for those that have left. */
export type Listeners = {
  readonly message: Set<(...received: ReceivedMessage) => void>;
  readonly peer: Set<(peer: string) => void>;
  readonly leave: Set<(peer: string) => void>;
  /** Messages that arrived while nobody listened. A peer sends each only once, and may do so before we vote. */
  readonly early: ReceivedMessage[];
};

/** Keeps the last of them. */
const keepEarly = (early: ReceivedMessage[], received: ReceivedMessage): void => {
  early.push(received);
  let bytes = early.reduce((sum, one) => sum + one[1].length, 0);
  while (early.length > maxEarly || bytes > maxEarlyBytes) bytes -= early.shift()?.[1].length ?? 0;
};

/** The peers of a node, with their reputations, which fade over time. */
export const createPeerSet = (listeners: Listeners, now: () => number) => {
  const members = new Map<string, Member>();
  let made = 0;
  const ready = (): Peer[] => [...members.values()].map(({ peer }) => peer).filter((peer) => peer.isReady);
  const rate = (name: string, change: number): void => {
    const member = members.get(name);
    if (member === undefined) return;
    const nowMs = now();
    member.score = member.score * keptPerSecond ** ((nowMs - member.ratedMs) / 1000) + change;
    member.ratedMs = nowMs;
    if (member.score < bannedBelow) member.end();
  };
  return {
    rate,
    ready,
    send: (name: string, bytes: Uint8Array): void => {
      const peer = members.get(name)?.peer;
      if (peer?.isReady === true) peer.send({ type: 'grandpa', bytes });
    },
    add: ({ send, end }: Carrier): Peer => {
      const name = `link ${++made}`;
      const seen = createBoundedMap<BlockHash, true>(maxSeen);
      const peer: Peer = {
        name,
        seen,
        isReady: false,
        best: null,
        proofs: 0,
        request: null,
        next: null,
        send,
      };
      members.set(name, { peer, end, score: 0, ratedMs: now() });
      return peer;
    },
    remove: ({ name }: Peer): void => {
      members.delete(name);
      for (const listener of listeners.leave) listener(name);
    },
    /** Passes a GRANDPA message to its voter. */
    received: ({ name }: Peer, bytes: Uint8Array): void => {
      if (listeners.message.size === 0) keepEarly(listeners.early, [name, bytes]);
      for (const listener of listeners.message) listener(name, bytes);
    },
    /** The peer is on the same chain. */
    welcome: (peer: Peer): void => {
      peer.isReady = true;
      for (const listener of listeners.peer) listener(peer.name);
    },
  };
};

export type Peers = ReturnType<typeof createPeerSet>;
