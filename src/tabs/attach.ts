import { unwrap } from '../begin.ts';
import { createClient } from '../client.ts';
import { type Connection, createConnection } from '../connection.ts';
import { dataToError, NodeError } from '../protocol/errors.ts';
import { holdLock, whenReleased } from '../protocol/port.ts';
import type { TabNode } from '../start.ts';
import { pipe } from './pipe.ts';
import { leaderLock, meetingName, portName, type Question, type Reply } from './words.ts';

/** How long a tab may take to answer; a hidden one is slower. Meanwhile it is asked again: it may just have started. */
const answerMs = 2000;
const againMs = 100;

type Asked = { readonly [K in Question['ask']]: Omit<Extract<Question, { ask: K }>, 'ask' | 'id'> };
type Answered = { readonly [K in Reply['reply']]: Extract<Reply, { reply: K }> };

/** Asks the other tabs; rejects with `Disconnected` if none replies in time, or when the signal fires. */
const ask = <K extends Question['ask']>(
  chain: string,
  kind: K,
  question: Asked[K],
  signal: AbortSignal,
  id: string = crypto.randomUUID(),
): Promise<Answered[K]> =>
  new Promise((resolve, reject) => {
    const meeting = new BroadcastChannel(meetingName(chain));
    const post = (): void => meeting.postMessage({ ask: kind, id, ...question });
    const end = (): void => {
      clearTimeout(timer);
      clearInterval(again);
      signal.removeEventListener('abort', fail);
      meeting.close();
    };
    const fail = (): void => {
      end();
      reject(new NodeError('Disconnected', 'No tab answers'));
    };
    const timer = setTimeout(fail, answerMs);
    const again = kind === 'who' ? setInterval(post, againMs) : undefined;
    meeting.onmessage = ({ data }: MessageEvent<Question | Reply>) => {
      if (!('reply' in data) || data.id !== id || data.reply !== kind) return;
      end();
      resolve(data as Answered[K]);
    };
    if (signal.aborted) fail();
    else {
      signal.addEventListener('abort', fail, { once: true });
      post();
    }
  });

/**
 * The node of a stored chain that another tab of this origin runs. It ends (`Disconnected`) when that tab closes, crashes or
 * stops the node, and when the signal fires. Rejects with `Disconnected` if no tab answers.
 */
export const attachNode = async (chain: string, signal: AbortSignal): Promise<TabNode> => {
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
  whenReleased(leaderLock(leader), ended.signal, () =>
    end(new NodeError('Disconnected', 'The tab with the node has closed')),
  );
  const guest = `tabnode.guest:${crypto.randomUUID()}`;
  // The node ends this tab's connections once the lock is free.
  await new Promise<void>((resolve) => {
    ended.signal.addEventListener('abort', () => resolve(), { once: true });
    holdLock(guest, ended.signal, resolve);
  });
  const openPort: TabNode['openPort'] = async (options = {}) => {
    const id = crypto.randomUUID();
    const { port1, port2 } = new MessageChannel();
    // Before the question: the node's first messages may come at once.
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
  return {
    info,
    connection,
    rpc,
    connect,
    openPort,
    snapshot: (name) => rpc.dev_snapshot({ name }),
    restore: async (snapshot) => {
      await rpc.dev_restore({ name: typeof snapshot === 'string' ? snapshot : snapshot.name });
    },
    status: async () => unwrap((await ask(chain, 'status', { to: leader }, ended.signal)).outcome),
    stop: async () => leave(),
  };
};
