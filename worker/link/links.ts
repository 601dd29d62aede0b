import { hear } from '../../src/protocol/hear.ts';
import { Reader } from '../bytes/reader.ts';
import { createQueue } from '../chain/queue.ts';
import { costs, maxMessageBytes, maxQueued, maxQueuedSpare } from './costs.ts';
import { announce, type ExchangeDeps, handle, statusOf } from './exchange.ts';
import { createPeers, type Listeners, type Peer, type Peers } from './peers.ts';
import { decodeLinkMessage, encodeLinkMessage, type LinkMessage } from './wire.ts';

export type LinksDeps = ExchangeDeps & { readonly onError: (error: unknown) => void };

/** The links of a node to others of the same page or process, each over a port (decision 45). */
export type OpenLinks = Pick<Peers, 'broadcast' | 'send' | 'rate'> & {
  /** Serves another node at the other end of a port. Returns the number of the link. */
  open(port: MessagePort): number;
  /** Ends a link, if it is still there. */
  cut(link: number): void;
  /** Resolves when nothing that a peer has sent is under way. */
  close(): Promise<void>;
};

const bye = 'bye';

type Part = LinksDeps & { readonly peers: Peers };

/** Dropped if too many wait: a later announcement leads to a request for what is missing. */
const isSpare = ({ type }: LinkMessage): boolean => type === 'block' || type === 'proof';

/** Takes a peer's messages, one after the other; only votes are handed on at once. */
const createReceiver = (deps: Part, peer: Peer) => {
  const queue = createQueue(maxQueued);
  const { peers, onError } = deps;
  let waiting = 0;
  const enqueue = (message: LinkMessage): void => {
    if (waiting >= (isSpare(message) ? maxQueuedSpare : maxQueued)) {
      peers.rate(peer.name, costs.flood);
      return;
    }
    waiting++;
    queue
      .run(() => handle(deps, peer, message))
      .catch(onError)
      .finally(() => waiting--);
  };
  const receive = (bytes: Uint8Array): void => {
    const message = bytes.length > maxMessageBytes ? null : decodeLinkMessage(new Reader(bytes));
    if (message === null)
      peers.rate(peer.name, bytes.length > maxMessageBytes ? costs.tooLarge : costs.undecodable);
    else if (message.type === 'grandpa' && peer.isReady) peers.heard(peer, message.bytes);
    else enqueue(message);
  };
  return { receive, idle: queue.idle };
};

type Link = { readonly end: (isHeard: boolean) => void; readonly idle: () => Promise<void> };

const openLink = (deps: Part, port: MessagePort, onEnd: () => void): Link => {
  let isOver = false;
  const end = (isHeard: boolean): void => {
    if (isOver) return;
    isOver = true;
    deps.peers.remove(peer);
    if (!isHeard) port.postMessage(bye);
    port.close();
    onEnd();
  };
  const send = (message: LinkMessage): void => {
    if (!isOver) port.postMessage(encodeLinkMessage(message));
  };
  const peer = deps.peers.add({ send, end: () => end(false) });
  const { receive, idle } = createReceiver(deps, peer);
  port.addEventListener('close', () => end(true));
  hear(port, (data) => {
    if (isOver) return;
    if (data === bye) end(true);
    else if (data instanceof Uint8Array) receive(data);
    else deps.peers.rate(peer.name, costs.undecodable);
  });
  peer.send(statusOf(deps));
  return { end, idle };
};

export const startLinks = (given: LinksDeps, listeners: Listeners): OpenLinks => {
  const peers = createPeers(listeners);
  const deps: Part = { ...given, peers };
  const links = new Map<number, Link>();
  let made = 0;
  const off = deps.chain.onEvent((event) => void announce(deps, event).catch(deps.onError));
  return {
    broadcast: peers.broadcast,
    send: peers.send,
    rate: peers.rate,
    open: (port) => {
      const id = ++made;
      links.set(
        id,
        openLink(deps, port, () => void links.delete(id)),
      );
      return id;
    },
    cut: (id) => links.get(id)?.end(false),
    close: async () => {
      off();
      const open = [...links.values()];
      for (const link of open) link.end(false);
      await Promise.all(open.map(({ idle }) => idle()));
    },
  };
};
