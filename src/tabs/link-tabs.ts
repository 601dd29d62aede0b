import { holdLock, whenReleased } from '../protocol/port.ts';
import type { TabNode } from '../tab-node.ts';
import { pipeLink } from './pipe.ts';

/** A node with which those of other tabs are linked. */
export type TabPeer = Pick<TabNode, 'info' | 'openLink'>;

/** Tabs with which one node is linked at most. */
const maxLinks = 32;
/** After a link has ended while the other tab lives on. */
const againMs = 1000;

/**
 * Between the tabs of one chain. `hello` says that a node is there, to all or, as a reply, to one. Of two nodes, the one
 * whose id is smaller offers a pipe, and the other one accepts it once it listens.
 */
type Message =
  | { readonly hello: string; readonly to?: string }
  | { readonly offer: string; readonly from: string; readonly to: string }
  | { readonly accept: string; readonly to: string };

const isId = (value: unknown): value is string => typeof value === 'string' && value.length === 36;

/** Null for anything else, because any script of the origin can post there. */
const parseMessage = (data: unknown): Message | null => {
  if (typeof data !== 'object' || data === null) return null;
  const { hello, offer, accept, from, to } = data as Readonly<Record<string, unknown>>;
  if (hello !== undefined) return isId(hello) && (to === undefined || isId(to)) ? (data as Message) : null;
  if (offer !== undefined) return isId(offer) && isId(from) && isId(to) ? (data as Message) : null;
  return isId(accept) && isId(to) ? (data as Message) : null;
};

/** Held by the tab of a node, so that the others learn of its end. */
const peerLock = (id: string): string => `tabnode.peer:${id}`;
const pipeName = (id: string): string => `tabnode.link:${id}`;

/** Two forks of one live chain are different chains. */
const channelName = ({ genesisHash, base }: TabNode['info']): string =>
  `tabnode.peers:${genesisHash}:${base?.hash ?? ''}`;

/** Runs when the link's pipe is open at both ends. */
type Link = { readonly pipe: string; open: () => void };

/**
 * Links a node with all nodes of the same chain in other tabs of this origin, each under a chain name of its own, until the
 * signal fires: they exchange blocks, transactions and votes as over a network. Does nothing where tabs cannot
 * reach each other.
 */
export const linkTabs = (node: TabPeer, signal: AbortSignal): void => {
  if (typeof BroadcastChannel === 'undefined' || signal.aborted) return;
  const own = crypto.randomUUID();
  const channel = new BroadcastChannel(channelName(node.info));
  const links = new Map<string, Link>();
  const post = (message: Message): void => {
    if (!signal.aborted) channel.postMessage(message);
  };
  /** Opens this end of a pipe. The returned function connects the node with it. */
  const begin = (peer: string, pipe: string): (() => void) => {
    const { port1, port2 } = new MessageChannel();
    const gone = new AbortController();
    const ended = AbortSignal.any([signal, gone.signal]);
    let isGone = false;
    whenReleased(peerLock(peer), ended, () => {
      isGone = true;
      gone.abort();
    });
    pipeLink(port2, pipeName(pipe), ended, () => {
      links.delete(peer);
      gone.abort();
      if (!isGone && !signal.aborted) setTimeout(() => post({ hello: own, to: peer }), againMs);
    });
    // A node that ends has no links any more.
    const open = (): void => void node.openLink(port1).catch(() => gone.abort());
    links.set(peer, { pipe, open });
    return open;
  };
  const hear = (message: Message): void => {
    if (message.to !== undefined && message.to !== own) return;
    if ('hello' in message) {
      const { hello: peer } = message;
      if (peer === own || links.has(peer) || links.size >= maxLinks) return;
      if (own > peer) {
        post({ hello: own, to: peer });
        return;
      }
      const pipe = crypto.randomUUID();
      begin(peer, pipe);
      post({ offer: pipe, from: own, to: peer });
    } else if ('offer' in message) {
      if (links.has(message.from) || links.size >= maxLinks) return;
      const open = begin(message.from, message.offer);
      post({ accept: message.offer, to: message.from });
      open();
    } else
      for (const link of links.values())
        if (link.pipe === message.accept) {
          link.open();
          link.open = () => undefined;
        }
  };
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parseMessage(data);
    if (message !== null) hear(message);
  };
  signal.addEventListener('abort', () => channel.close(), { once: true });
  // Nobody finds the node before its lock is held.
  holdLock(peerLock(own), signal, () => post({ hello: own }));
};
