import { unwrap } from '../begin.ts';
import { createClient } from '../client.ts';
import { type Connection, createConnection } from '../connection.ts';
import { dataToError, NodeError } from '../protocol/errors.ts';
import { holdLock, whenReleased } from '../protocol/port.ts';
import { savesOf, type TabNode } from '../tab-node.ts';
import {
  guestLock,
  leaderLock,
  parseMessage,
  portName,
  type TabReply,
  type TabRequest,
  tabChannelName,
} from './messages.ts';
import { pipe } from './pipe.ts';

/**
 * How long a tab may take to reply; hidden tabs are slower. The question is repeated, because a tab may just
 * be starting.
 */
const answerMs = 2000;
const againMs = 100;
/** Milliseconds between a reply of the tab with the node and the next request. */
const beatMs = 1000;
/** Requests without a reply after which that tab counts as hung: this tab may have slept too. */
const maxMissed = 2;

/** Questions that are answered. */
type Kind = TabReply['reply'];
type PendingRequest = { readonly [K in Kind]: Omit<Extract<TabRequest, { ask: K }>, 'ask' | 'id'> };
type Answered = { readonly [K in TabReply['reply']]: Extract<TabReply, { reply: K }> };

/**
 * Sends a question to the other tabs; rejects with `Disconnected` if none replies in time or the signal is
 * aborted. A port that was asked for is given up then, because it may be opened later.
 */
const ask = <K extends Kind>(
  chain: string,
  kind: K,
  question: PendingRequest[K],
  signal: AbortSignal,
  id: string = crypto.randomUUID(),
): Promise<Answered[K]> =>
  new Promise((resolve, reject) => {
    const tabChannel = new BroadcastChannel(tabChannelName(chain));
    const post = (): void => tabChannel.postMessage({ ask: kind, id, ...question });
    const end = (): void => {
      clearTimeout(timer);
      clearInterval(again);
      signal.removeEventListener('abort', fail);
      tabChannel.close();
    };
    const fail = (): void => {
      if (kind === 'open') tabChannel.postMessage({ ...question, ask: 'close', id });
      end();
      reject(new NodeError('Disconnected', 'No tab answers'));
    };
    const timer = setTimeout(fail, answerMs);
    const again = kind === 'who' ? setInterval(post, againMs) : undefined;
    tabChannel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = parseMessage(data);
      if (message === null || !('reply' in message) || message.id !== id || message.reply !== kind) return;
      end();
      resolve(message as Answered[K]);
    };
    if (signal.aborted) fail();
    else {
      signal.addEventListener('abort', fail, { once: true });
      post();
    }
  });

/** Calls back once the tab with the node stops responding: it hangs, or it is frozen. */
const watchLeader = async (chain: string, signal: AbortSignal, onSilent: () => void): Promise<void> => {
  for (let missed = 0; missed < maxMissed; ) {
    await new Promise((resolve) => setTimeout(resolve, beatMs));
    if (signal.aborted) return;
    missed = await ask(chain, 'who', {}, signal).then(
      () => 0,
      () => missed + 1,
    );
  }
  onSilent();
};

/** Calls back once the tab with the node is about to be frozen. */
const onLeaderLeft = (chain: string, leader: string, signal: AbortSignal, onLeft: () => void): void => {
  const tabChannel = new BroadcastChannel(tabChannelName(chain));
  tabChannel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = parseMessage(data);
    if (message !== null && 'left' in message && message.left === leader) onLeft();
  };
  signal.addEventListener('abort', () => tabChannel.close(), { once: true });
};

export type Attached = { readonly node: TabNode; readonly ended: AbortSignal };

/**
 * The node of a stored chain that another tab of this origin runs. It ends (`Disconnected`) when that tab
 * closes, crashes, stops the node or does not respond, and when the signal fires. Rejects with `Disconnected`
 * if no tab responds.
 */
export const attachNode = async (chain: string, signal: AbortSignal): Promise<Attached> => {
  if (typeof BroadcastChannel === 'undefined') throw new NodeError('Disconnected', 'No tab answers');
  const { leader, info } = await ask(chain, 'who', {}, signal);
  const ended = new AbortController();
  const connections = new Set<Connection>();
  const end = (reason: NodeError): void => {
    if (ended.signal.aborted) return;
    ended.abort(reason);
    for (const connection of [...connections]) connection.close(reason);
  };
  const leave = (): void => end(new NodeError('Disconnected', 'No tab answers'));
  signal.addEventListener('abort', leave, { once: true });
  whenReleased(leaderLock(chain, leader), ended.signal, () =>
    end(new NodeError('Disconnected', 'The tab with the node has closed')),
  );
  onLeaderLeft(chain, leader, ended.signal, () =>
    end(new NodeError('Disconnected', 'The tab with the node is frozen', { details: { hasLeft: true } })),
  );
  void watchLeader(chain, ended.signal, () =>
    end(new NodeError('Disconnected', 'The tab with the node does not answer')),
  );
  const guest = guestLock(crypto.randomUUID());
  // The other tab closes this tab's connections when the lock is released.
  await new Promise<void>((resolve) => {
    ended.signal.addEventListener('abort', () => resolve(), { once: true });
    holdLock(guest, ended.signal, resolve);
  });
  const openPort: TabNode['openPort'] = async (options = {}) => {
    const id = crypto.randomUUID();
    const { port1, port2 } = new MessageChannel();
    // Before the request is sent, because the node's first messages may arrive immediately.
    pipe(port2, portName(id), ended.signal);
    try {
      const { error } = await ask(chain, 'open', { to: leader, guest, options }, ended.signal, id);
      if (error !== null) throw dataToError(error);
      return port1;
    } catch (error) {
      port1.postMessage({ note: 'bye' });
      port1.close();
      throw error;
    }
  };
  const connect: TabNode['connect'] = async (options) => {
    const connection = createConnection(await openPort(options));
    connections.add(connection);
    connection.onClose(() => connections.delete(connection));
    return connection;
  };
  const connection = await connect();
  const rpc = createClient(connection);
  const node: TabNode = {
    info,
    connection,
    rpc,
    connect,
    openPort,
    openLink: () => Promise.reject(new NodeError('Unsupported', 'Another tab runs the node: link it there')),
    ...savesOf(rpc),
    status: async () => unwrap((await ask(chain, 'status', { to: leader }, ended.signal)).outcome),
    stop: async () => leave(),
  };
  return { node, ended: ended.signal };
};
