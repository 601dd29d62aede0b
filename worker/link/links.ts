import { onPortMessage } from '../../src/protocol/port.ts';
import { Reader } from '../bytes/reader.ts';
import type { BlockRef } from '../chain/tree.ts';
import { createQueue } from '../tasks/queue.ts';
import { announce, type ExchangeDeps, handle, statusOf } from './exchange.ts';
import { createFlow, type Flow } from './flow.ts';
import {
  costs,
  createPeerSet,
  type Listeners,
  maxMessageBytes,
  maxQueued,
  maxQueuedSpare,
  maxUnderWayBytes,
  type Peer,
  type Peers,
} from './peers.ts';
import { abandonRequest } from './serve.ts';
import { decodeLinkMessage, type LinkMessage } from './wire.ts';

export type LinksDeps = ExchangeDeps & {
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly schedule: (ms: number, run: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};

/** The links of a node to others of the same page or process, each over a port (decision 45). */
export type OpenLinks = Pick<Peers, 'send' | 'rate'> & {
  /** Serves another node at the other end of a port. Returns the number of the link. */
  open(port: MessagePort): number;
  /** The peers on the same chain. */
  peers(): LinkedPeer[];
  /** Ends a link, if it is still there. */
  cut(link: number): void;
  /** Resolves when every message that a peer has sent is handled. */
  close(): Promise<void>;
};

export type LinkedPeer = { readonly name: string; readonly best: BlockRef };

const bye = 'bye';

type Part = LinksDeps & { readonly peers: Peers };

/** Dropped if too many wait: a later announcement leads to a request for what is missing. */
const isSpare = ({ type }: LinkMessage): boolean => type === 'block' || type === 'proof';

/** Handles a peer's messages one after the other; only votes are passed on immediately. */
const createReceiver = (deps: Part, peer: Peer, flow: Flow) => {
  const queue = createQueue(maxQueued);
  const { peers, onError } = deps;
  let waiting = 0;
  let waitingBytes = 0;
  const enqueue = (message: LinkMessage, size: number): void => {
    const isFull = waiting >= (isSpare(message) ? maxQueuedSpare : maxQueued);
    if (isFull || waitingBytes + size > maxUnderWayBytes) {
      peers.rate(peer.name, costs.flood);
      flow.handle(size);
      return;
    }
    // The reply has arrived, however long it waits now.
    if (message.type === 'blocks' && message.target === peer.request?.target) peer.request.forget();
    waiting++;
    waitingBytes += size;
    queue
      .run(() => handle(deps, peer, message))
      .catch(onError)
      .finally(() => {
        waiting--;
        waitingBytes -= size;
        flow.handle(size);
      });
  };
  const receive = (bytes: Uint8Array): void => {
    const size = bytes.length;
    const message = size > maxMessageBytes ? null : decodeLinkMessage(new Reader(bytes));
    if (message?.type === 'taken') flow.acknowledge(message.bytes);
    else if (message === null || (message.type === 'grandpa' && peer.isReady)) {
      if (message !== null) peers.received(peer, message.bytes);
      else peers.rate(peer.name, size > maxMessageBytes ? costs.tooLarge : costs.undecodable);
      flow.handle(size);
    } else enqueue(message, size);
  };
  return { receive, idle: queue.idle };
};

type PeerLink = { readonly end: (isHeard: boolean) => void; readonly idle: () => Promise<void> };

const openLink = (deps: Part, port: MessagePort, onEnd: () => void): PeerLink => {
  let isOver = false;
  const end = (isHeard: boolean): void => {
    if (isOver) return;
    isOver = true;
    deps.peers.remove(peer);
    // Others may have what this peer did not send.
    abandonRequest(deps, peer).catch(deps.onError);
    if (!isHeard) port.postMessage(bye);
    port.close();
    onEnd();
  };
  const post = (bytes: Uint8Array): void => {
    if (!isOver) port.postMessage(bytes);
  };
  // The peer has missed messages, so both sides report their position again.
  const catchUp = (): void => {
    flow.send(statusOf(deps));
    deps.peers.welcome(peer);
  };
  const flow = createFlow(post, catchUp);
  const peer = deps.peers.add({ send: flow.send, end: () => end(false) });
  const { receive, idle } = createReceiver(deps, peer, flow);
  port.addEventListener('close', () => end(true));
  onPortMessage(port, (data) => {
    if (isOver) return;
    if (data === bye) end(true);
    else if (data instanceof Uint8Array) receive(data);
    else deps.peers.rate(peer.name, costs.undecodable);
  });
  peer.send(statusOf(deps));
  return { end, idle };
};

export const startLinks = (given: LinksDeps, listeners: Listeners): OpenLinks => {
  const peers = createPeerSet(listeners, given.now);
  const deps: Part = { ...given, peers };
  const links = new Map<number, PeerLink>();
  let made = 0;
  const off = deps.chain.onEvent((event) => void announce(deps, event).catch(deps.onError));
  return {
    send: peers.send,
    rate: peers.rate,
    peers: () => peers.ready().flatMap(({ name, best }) => (best === null ? [] : [{ name, best }])),
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
