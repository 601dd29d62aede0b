import type { Connection } from './connection.ts';
import { NodeError } from './protocol/errors.ts';
import type { Result } from './protocol/rpc/define.ts';
import type { MethodTable } from './protocol/rpc/index.ts';

/** One JSON-RPC text of a recording. */
export type RecordedMessage = {
  /** Number of the client, from 1 in the order they connected. */
  readonly client: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** `out`: from the client to the node. */
  readonly direction: 'out' | 'in';
  readonly text: string;
};

/**
 * The line format of @polkadot-api/logs-provider 0.2.0: `client-time->>-text` for what a client sends, `<<`
 * for what it receives, the time in ISO 8601 with milliseconds, the text on one line.
 */
const lineShape = /^(\d{1,9})-(.{24})-(<<|>>)-(.*)$/;

/** One line, without its end. JSON texts may span several lines; line breaks between tokens become spaces. */
export const writeRecordLine = ({ client, atMs, direction, text }: RecordedMessage): string =>
  `${client}-${new Date(atMs).toISOString()}-${direction === 'out' ? '>>' : '<<'}-${text.replace(/[\r\n]+/g, ' ')}`;

/**
 * Reads a recording; throws NodeError `BadRecording` with the number of the first invalid line. Empty lines
 * are skipped.
 */
export const readRecording = (recording: string): readonly RecordedMessage[] => {
  const messages: RecordedMessage[] = [];
  for (const [index, line] of recording.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const [, client, date = '', arrow, text = ''] = lineShape.exec(line) ?? [];
    const atMs = Date.parse(date);
    if (client === undefined || Number.isNaN(atMs)) {
      const details = { line: index + 1 };
      throw new NodeError('BadRecording', `Line ${index + 1} is not a line of a recording`, { details });
    }
    messages.push({ client: Number(client), atMs, direction: arrow === '>>' ? 'out' : 'in', text });
  }
  return messages;
};

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
