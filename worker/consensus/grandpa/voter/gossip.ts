import type { Message } from './messages.ts';

/** How a voter reaches others, with the bytes of `/grandpa/1`. */
export type Gossip = {
  /** To all peers, but not to the one that a message came from. */
  broadcast(bytes: Uint8Array, from?: string): void;
  send(peer: string, bytes: Uint8Array): void;
  /** Changes a peer's reputation. */
  rate(peer: string, change: number): void;
  /** Returns the function that ends it. */
  onMessage(listener: (peer: string, bytes: Uint8Array) => void): () => void;
  /** Calls back with each new peer. Returns the function that ends it. */
  onPeer(listener: (peer: string) => void): () => void;
  /** Calls back with each peer that has left. Returns the function that ends it. */
  onLeave(listener: (peer: string) => void): () => void;
};

/** What messages are worth (sc-consensus-grandpa `communication/mod.rs`). */
export const rates = {
  past: -50,
  badSignature: -100,
  malformedCatchUp: -1000,
  malformedCommit: -1000,
  future: -500,
  unknownVoter: -150,
  viewChange: -500,
  undecodableByte: -5,
  invalidCatchUp: -5000,
  invalidCommit: -5000,
  outOfScope: -500,
  repeatedNeighbor: -500,
  /** A request of a voter that may not know yet that the set has changed. */
  honestOutOfScope: -200,
  catchUpReply: -200,
  catchUpTimeout: -200,
  neighbor: 100,
  vote: 100,
  catchUp: 200,
  commit: 100,
} as const;

/** A peer that repeats its position within this time is charged for it. */
export const repeatedWithinMs = 60_000;

/** Where a voter is. */
export type View = { readonly setId: bigint; readonly round: bigint; readonly height: number };

/** What decides whether a message is relevant. */
export type Scope =
  | Pick<Extract<Message, { type: 'vote' }>, 'type' | 'setId' | 'round'>
  | { readonly type: 'commit'; readonly setId: bigint; readonly commit: { readonly target: Height } }
  | Pick<Exclude<Message, { type: 'vote' | 'commit' }>, 'type' | 'setId'>;

type Height = { readonly number: number };

/** Whether a message is relevant now, and if not, what it costs its sender. */
export const judgeScope = (view: View, message: Scope): number | null => {
  if (message.setId < view.setId) return rates.past;
  if (message.setId > view.setId) return rates.future;
  if (message.type === 'vote') {
    if (message.round > view.round + 1n) return rates.future;
    return message.round + 1n < view.round ? rates.past : null;
  }
  if (message.type === 'commit') return message.commit.target.number <= view.height ? rates.past : null;
  return null;
};

type Noted = View & { readonly atMs: number };

/** The peers' views, as their neighbor packets give them. */
export const createPeerViews = (limit = 256) => {
  const views = new Map<string, Noted>();
  return {
    get: (peer: string): Noted | null => views.get(peer) ?? null,
    all: (): Iterable<readonly [string, Noted]> => views,
    forget: (peer: string): void => void views.delete(peer),
    /** False if the peer goes back. */
    note: (peer: string, next: Noted): boolean => {
      const known = views.get(peer);
      if (known !== undefined && next.setId === known.setId && next.round < known.round) return false;
      if (known !== undefined && next.setId < known.setId) return false;
      if (known === undefined && views.size >= limit) views.delete(views.keys().next().value as string);
      views.set(peer, next);
      return true;
    },
  };
};

type Listener = (peer: string, bytes: Uint8Array) => void;

type Member = { readonly name: string; readonly messages: Set<Listener> };

const listenTo = (listeners: Set<Listener>, listener: Listener): (() => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/**
 * Connects the voters of one node with each other. Only the first one talks to other nodes, which know the node
 * as one peer; it forwards the votes of its siblings. Messages between siblings arrive in a later microtask.
 */
export const connectSiblings = (outside: Gossip, count: number): readonly Gossip[] => {
  const members: Member[] = Array.from({ length: count }, (_, index) => ({
    name: `own voter ${index + 1}`,
    messages: new Set(),
  }));
  const deliver = (from: Member, to: Member, bytes: Uint8Array): void =>
    queueMicrotask(() => {
      for (const listener of to.messages) listener(from.name, bytes);
    });
  const gossipOf = (member: Member): Gossip => ({
    broadcast: (bytes, from) => {
      for (const other of members) if (other !== member && other.name !== from) deliver(member, other, bytes);
    },
    send: (peer, bytes) => {
      for (const other of members) if (other.name === peer) deliver(member, other, bytes);
    },
    rate: () => undefined,
    onMessage: (listener) => listenTo(member.messages, listener),
    onPeer: () => () => undefined,
    onLeave: () => () => undefined,
  });
  const withOutside = (inside: Gossip): Gossip => ({
    broadcast: (bytes, from) => {
      inside.broadcast(bytes, from);
      outside.broadcast(bytes, from);
    },
    send: (peer, bytes) => {
      inside.send(peer, bytes);
      outside.send(peer, bytes);
    },
    rate: outside.rate,
    onMessage: (listener) => {
      const ends = [inside.onMessage(listener), outside.onMessage(listener)];
      return () => {
        for (const end of ends) end();
      };
    },
    onPeer: outside.onPeer,
    onLeave: outside.onLeave,
  });
  return members.map(gossipOf).map((gossip, index) => (index === 0 ? withOutside(gossip) : gossip));
};
