import { type Connection, createConnection } from './connection.ts';
import { NodeError } from './protocol/errors.ts';
import { parseJson, writeJson } from './protocol/json.ts';
import { isPortNote } from './protocol/port.ts';
import { type RecordedMessage, readRecording } from './record.ts';

export type ReplayOptions = {
  /** Which client of the recording to replay; default 1. */
  readonly client?: number;
  /**
   * Speed of notifications as a multiple of the recorded pace; by default they are sent immediately, in
   * order.
   */
  readonly speed?: number;
};

type Fields = Readonly<Record<string, unknown>>;
type Note = { readonly afterMs: number; readonly text: string };
/** One recorded call. A subscription's notes are those sent under the id it returned. */
type Exchange = { readonly answer: Fields; readonly atMs: number; readonly notes: Note[] };

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const readFields = (text: string): readonly Fields[] => {
  try {
    const value = parseJson(text);
    return (Array.isArray(value) ? value : [value]).filter(isRecord);
  } catch {
    return [];
  }
};

const keyOf = ({ method, params }: Fields): string => writeJson([method, params ?? []]);

/** All recorded calls by method and parameters, in order. Calls without a response are left out. */
const indexExchanges = (messages: readonly RecordedMessage[]): ReadonlyMap<string, readonly Exchange[]> => {
  const pending = new Map<unknown, string>();
  const open = new Map<unknown, Exchange>();
  const found = new Map<string, Exchange[]>();
  const settle = (fields: Fields, atMs: number): void => {
    const id = writeJson(fields['id']);
    const key = pending.get(id);
    if (key === undefined) return;
    pending.delete(id);
    const exchange: Exchange = { answer: fields, atMs, notes: [] };
    if (typeof fields['result'] === 'string') open.set(fields['result'], exchange);
    const list = found.get(key) ?? [];
    list.push(exchange);
    found.set(key, list);
  };
  for (const { direction, atMs, text } of messages) {
    for (const fields of readFields(text)) {
      const { method, params } = fields;
      if (direction === 'out') pending.set(writeJson(fields['id']), keyOf(fields));
      else if (method === undefined) settle(fields, atMs);
      else if (isRecord(params)) {
        const exchange = open.get(params['subscription']);
        exchange?.notes.push({ afterMs: atMs - exchange.atMs, text });
      }
    }
  }
  return found;
};

/** The node's side of a port, played back from the recorded exchanges. */
const servePort = (port: MessagePort, exchanges: ReadonlyMap<string, readonly Exchange[]>, speed: number) => {
  const used = new Map<string, number>();
  const timers = new Map<unknown, Set<ReturnType<typeof setTimeout>>>();

  /** The next recorded exchange of the same call; after the last one, that one again. */
  const take = (key: string): Exchange | null => {
    const list = exchanges.get(key) ?? [];
    const count = used.get(key) ?? 0;
    used.set(key, count + 1);
    return list[Math.min(count, list.length - 1)] ?? null;
  };
  const follow = ({ answer, notes }: Exchange): void => {
    if (notes.length === 0) return;
    const waiting = new Set<ReturnType<typeof setTimeout>>();
    timers.set(answer['result'], waiting);
    if (speed === Number.POSITIVE_INFINITY) {
      for (const { text } of notes) port.postMessage(text);
      return;
    }
    for (const { afterMs, text } of notes)
      waiting.add(setTimeout(() => port.postMessage(text), afterMs / speed));
  };
  const stop = (id: unknown): boolean => {
    for (const timer of timers.get(id) ?? []) clearTimeout(timer);
    return timers.delete(id);
  };
  const answer = (fields: Fields): { readonly text: string; readonly exchange: Exchange | null } => {
    const id = writeJson(fields['id'] ?? null);
    const { params } = fields;
    const ended = Array.isArray(params) && stop(params[0]);
    const exchange = take(keyOf(fields));
    if (exchange === null && ended) return { text: `{"jsonrpc":"2.0","id":${id},"result":true}`, exchange };
    const { result, error } = exchange?.answer ?? {};
    const missing = {
      code: -32000,
      message: `The recording has no answer to ${String(fields['method'])} with these parameters`,
      data: 'BadRecording',
    };
    const body =
      exchange !== null && error === undefined
        ? `"result":${writeJson(result)}`
        : `"error":${writeJson(error ?? missing)}`;
    return { text: `{"jsonrpc":"2.0","id":${id},${body}}`, exchange };
  };

  port.onmessage = ({ data }: { data: unknown }): void => {
    if (typeof data === 'string') {
      const answers = readFields(data).map(answer);
      const texts = answers.map(({ text }) => text);
      port.postMessage(data.trimStart().startsWith('[') ? `[${texts.join(',')}]` : texts[0]);
      for (const { exchange } of answers) if (exchange !== null) follow(exchange);
    } else if (isPortNote(data) && data.note === 'bye') {
      for (const id of [...timers.keys()]) stop(id);
      port.close();
    }
  };
};

/**
 * A connection that responds from a recording, without a node: each call gets its recorded response in turn,
 * and subscriptions their notifications. A call that was never recorded is refused with -32000. Throws
 * NodeError `BadRecording`.
 */
export const createReplayConnection = (
  recording: string,
  { client = 1, speed = Number.POSITIVE_INFINITY }: ReplayOptions = {},
): Connection => {
  const messages = readRecording(recording).filter((message) => message.client === client);
  if (messages.length === 0)
    throw new NodeError('BadRecording', `The recording has no client ${client}`, { details: { client } });
  const { port1, port2 } = new MessageChannel();
  servePort(port2, indexExchanges(messages), speed);
  return createConnection(port1);
};
