import type { Connection } from './connection.ts';
import type { Result } from './protocol/rpc/define.ts';
import type { MethodTable } from './protocol/rpc/index.ts';
import { writeRecordLine } from './recording.ts';

type Batch = Result<MethodTable['dev_subscribeTraffic']>;
type Item = Batch['items'][number];

/** A recording in progress. */
export type TrafficRecorder = {
  /** Messages that were too long, or arrived too fast, to be recorded. */
  missed(): number;
  /** Resolves when all messages up to now are recorded. */
  stop(): Promise<void>;
};

/** Maximum length of a fully recorded text, in characters: the maximum length of a response. */
const longestText = 16 * 1024 * 1024;

/**
 * Records everything that all clients of a node send and receive from now on, one line each (recording.ts),
 * without line ends. Clients are numbered in the order of their first message; secret parameters are
 * redacted. Rejects like a subscription.
 */
export const recordTraffic = async (
  source: { connect(): Promise<Connection> },
  onLine: (line: string) => void,
): Promise<TrafficRecorder> => {
  const connection = await source.connect();
  const clients = new Map<number, number>();
  let missed = 0;
  const write = ({ kind, connection: number, atMs, length, text }: Item): void => {
    if (kind === 'close') return;
    if (text.length < length) {
      missed += 1;
      return;
    }
    const client = clients.get(number) ?? clients.size + 1;
    clients.set(number, client);
    onLine(writeRecordLine({ client, atMs, direction: kind === 'request' ? 'out' : 'in', text }));
  };
  let id: string;
  try {
    id = await connection.subscribe('dev_subscribeTraffic', [longestText], (item) => {
      const { items, dropped } = item as Batch;
      missed += dropped;
      for (const one of items) write(one);
    });
  } catch (error) {
    connection.close();
    throw error;
  }
  const end = async (): Promise<void> => {
    // Not `unsubscribe`, which stops delivery immediately: the last batch arrives before this response.
    await connection.request('dev_unsubscribeTraffic', [id]).catch(() => undefined);
    connection.close();
  };
  let ending: Promise<void> | null = null;
  return {
    missed: () => missed,
    stop: () => {
      ending ??= end();
      return ending;
    },
  };
};
