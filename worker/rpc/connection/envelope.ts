import { parseJson, writeJson } from '../../../src/protocol/json.ts';
import type { RpcDialect } from '../dialects/dialect.ts';
import { invalidRequest, parseError, type RpcErrorData } from '../errors.ts';
import { textOf } from '../results.ts';
import { broken, type Flaw, type Id, type Incoming, type Message } from './message.ts';

/** Reads an element member by member, like the native node (fixtures: protocol.jsonl). */
const readValue = (
  value: unknown,
  dialect: RpcDialect,
  nameless: RpcErrorData,
  flaw: Flaw | undefined,
): Message => {
  if (typeof value !== 'object' || value === null) return broken(null, nameless);
  if (Array.isArray(value)) return dialect.readList(value, nameless);
  const { id, jsonrpc, method, params } = value as Readonly<Record<string, unknown>>;
  const isCall = jsonrpc === '2.0' && typeof method === 'string' && flaw?.call !== true;
  if (!dialect.isId(id) || flaw?.id === true)
    return isCall ? { kind: 'notification' } : broken(null, nameless);
  return isCall ? { kind: 'request', id, method, params } : broken(id, invalidRequest);
};

/** The SDK's server searches at most 128 characters for the first non-whitespace one. */
const firstSign = (text: string): string => {
  const first = text.charAt(0);
  return first === '{' || first === '[' ? first : (/^[ \t\n\f\r]{0,127}([^ \t\n\f\r])/.exec(text)?.[1] ?? '');
};

type Request = Extract<Message, { readonly kind: 'request' }>;

const hasEmptyList = (message: Message): message is Request =>
  message.kind === 'request' && Array.isArray(message.params) && message.params.length === 0;

/** Whether a text starts like a batch, valid or not. */
export const startsBatch = (text: string): boolean => firstSign(text) === '[';

/**
 * The text from its first bracket; null if it cannot be a message. The server treats a form feed as whitespace,
 * although JSON does not.
 */
export const trimStart = (text: string): string | null => {
  const sign = firstSign(text);
  if (sign !== '{' && sign !== '[') return null;
  return text.startsWith(sign) ? text : text.slice(text.indexOf(sign));
};

/** Reads one message, whose text has been parsed and searched for flaws. */
export const readMessage = (
  value: unknown,
  text: string,
  nameless: RpcErrorData,
  dialect: RpcDialect,
  flaw: Flaw | undefined,
): Message => {
  const message = readValue(value, dialect, nameless, flaw);
  if (!hasEmptyList(message)) return message;
  const fault = dialect.faultOfEmptyList(text);
  return fault === null ? message : { ...message, fault };
};

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
  if (!Array.isArray(value))
    return {
      kind: 'single',
      message: readMessage(value, text, parseError, dialect, dialect.flawsOf(text, false)?.[0]),
    };
  const flaws = dialect.flawsOf(text, true);
  // Computed at most once: it scans the whole text, and a batch may contain as many lists as entries.
  let fault: string | null | undefined;
  const read = (item: unknown, at: number): Message => {
    const message = readValue(item, dialect, invalidRequest, flaws?.[at]);
    if (!hasEmptyList(message)) return message;
    if (fault === undefined) fault = dialect.faultOfEmptyList(text);
    return fault === null ? message : { ...message, fault };
  };
  return { kind: 'batch', messages: value.map(read) };
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
