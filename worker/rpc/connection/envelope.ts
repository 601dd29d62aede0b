import { parseJson, writeJson } from '../../../src/protocol/json.ts';
import type { RpcDialect } from '../dialects/dialect.ts';
import { invalidRequest, parseError, type RpcErrorData } from '../errors.ts';
import { textOf } from '../results.ts';
import { broken, type Id, type Incoming, type Message } from './message.ts';

/**
 * Reads one message, member by member like the native node (fixtures: protocol.jsonl). Of a member that occurs twice, the last
 * counts, and an id may be an integer that is written as a fraction; the native server refuses both, and accepts the list of a
 * request's members for the request. No client sends any of these.
 */
export const readMessage = (value: unknown, nameless: RpcErrorData, dialect: RpcDialect): Message => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return broken(null, nameless);
  const { id, jsonrpc, method, params } = value as Readonly<Record<string, unknown>>;
  const isCall = jsonrpc === '2.0' && typeof method === 'string';
  if (!dialect.isId(id)) return isCall ? { kind: 'notification' } : broken(null, nameless);
  return isCall ? { kind: 'request', id, method, params } : broken(id, invalidRequest);
};

/** The text from its first bracket; null if it cannot be a message. JSON allows no other space before it. */
export const trimStart = (text: string): string | null => {
  const start = /^[ \t\n\r]*(?=[{[])/.exec(text)?.[0].length;
  return start === undefined ? null : text.slice(start);
};

/** Whether a text starts like a batch, valid or not. */
export const startsBatch = (text: string): boolean => trimStart(text)?.startsWith('[') === true;

/** Reads a text; never throws. An empty batch is a batch without messages. */
export const readIncoming = (text: string, dialect: RpcDialect): Incoming => {
  let value: unknown;
  try {
    const trimmed = trimStart(text);
    if (trimmed === null) return { kind: 'single', message: broken(null, parseError) };
    value = parseJson(trimmed);
  } catch {
    return { kind: 'single', message: broken(null, parseError) };
  }
  return Array.isArray(value)
    ? { kind: 'batch', messages: value.map((item) => readMessage(item, invalidRequest, dialect)) }
    : { kind: 'single', message: readMessage(value, parseError, dialect) };
};

const writeId = (id: Id): string => (typeof id === 'number' ? `${id}` : writeJson(id));

/** Responses are assembled as text, so that ids keep their exact digits. */
export const writeResult = (id: Id, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${writeId(id)},"result":${textOf(result) ?? writeJson(result)}}`;

export const writeError = (id: Id, error: RpcErrorData): string =>
  `{"jsonrpc":"2.0","id":${writeId(id)},"error":${writeJson(error)}}`;

export type WriteNotification = (method: string, subscription: string, item: unknown) => string;

/**
 * Creates a writer of notifications that serializes an item once if it is sent to several subscriptions in
 * succession. Items must not be mutated.
 */
export const createNotificationWriter = (): WriteNotification => {
  let lastItem: unknown;
  let lastText = '';
  const writeItem = (item: unknown): string => {
    if (typeof item !== 'object' || item === null) return writeJson(item);
    if (item !== lastItem) {
      lastText = writeJson(item);
      lastItem = item;
    }
    return lastText;
  };
  return (method, subscription, item) =>
    `{"jsonrpc":"2.0","method":"${method}","params":{"subscription":"${subscription}","result":${writeItem(item)}}}`;
};
