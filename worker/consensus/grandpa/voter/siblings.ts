import type { Gossip } from './gossip.ts';

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
