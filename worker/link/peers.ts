import { createBoundedMap } from '../bytes/bounded-map.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Gossip } from '../consensus/grandpa/voter/gossip.ts';
import { bannedBelow } from './costs.ts';
import { encodeLinkMessage, type LinkMessage } from './wire.ts';

/** Hashes remembered per peer, so that no block is sent back to where it came from. */
const maxSeen = 512;

/** The other end of a link. */
export type Peer = {
  readonly name: string;
  /** Blocks that the peer has. */
  readonly seen: ReturnType<typeof createBoundedMap<BlockHash, true>>;
  /** Whether it has said that it is on the same chain. */
  isReady: boolean;
  /** The block up to which blocks are requested, and one that was announced meanwhile. */
  requested: BlockHash | null;
  next: BlockHash | null;
  send(message: LinkMessage): void;
};

type Member = { readonly peer: Peer; readonly end: () => void; score: number };

type Carrier = { readonly post: (bytes: Uint8Array) => void; readonly end: () => void };

/** The peers of a node, with what they have earned. */
export const createPeers = () => {
  const members = new Map<string, Member>();
  const messageListeners = new Set<(peer: string, bytes: Uint8Array) => void>();
  const peerListeners = new Set<(peer: string) => void>();
  let made = 0;
  const ready = (): Peer[] => [...members.values()].map(({ peer }) => peer).filter((peer) => peer.isReady);
  const rate = (name: string, change: number): void => {
    const member = members.get(name);
    if (member === undefined) return;
    member.score += change;
    if (member.score < bannedBelow) member.end();
  };
  const gossip: Gossip = {
    broadcast: (bytes) => {
      for (const peer of ready()) peer.send({ type: 'grandpa', bytes });
    },
    send: (name, bytes) => {
      const peer = members.get(name)?.peer;
      if (peer?.isReady === true) peer.send({ type: 'grandpa', bytes });
    },
    rate,
    onMessage: (listener) => {
      messageListeners.add(listener);
      return () => void messageListeners.delete(listener);
    },
    onPeer: (listener) => {
      peerListeners.add(listener);
      return () => void peerListeners.delete(listener);
    },
  };
  return {
    gossip,
    rate,
    ready,
    add: ({ post, end }: Carrier): Peer => {
      const name = `link ${++made}`;
      const seen = createBoundedMap<BlockHash, true>(maxSeen);
      const send = (message: LinkMessage): void => post(encodeLinkMessage(message));
      const peer: Peer = { name, seen, isReady: false, requested: null, next: null, send };
      members.set(name, { peer, end, score: 0 });
      return peer;
    },
    remove: ({ name }: Peer): void => void members.delete(name),
    /** Hands a message of GRANDPA to its voter. */
    heard: ({ name }: Peer, bytes: Uint8Array): void => {
      for (const listener of messageListeners) listener(name, bytes);
    },
    /** The peer is on the same chain. */
    welcome: (peer: Peer): void => {
      peer.isReady = true;
      for (const listener of peerListeners) listener(peer.name);
    },
  };
};

export type Peers = ReturnType<typeof createPeers>;
