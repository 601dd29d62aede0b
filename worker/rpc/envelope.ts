import { parseJson, writeJson } from '../../src/protocol/json.ts';
import type { Dialect } from '../../src/protocol/node.ts';
import { invalidRequest, parseError, type RpcErrorData } from './errors.ts';
import { type Flaw, flawsOf } from './members.ts';
import { textOf } from './written.ts';

export type Id = number | bigint | string | null;

/** One element of what came in. */
export type Message =
  | { readonly kind: 'request'; readonly id: Id; readonly method: string; readonly params: unknown }
  | { readonly kind: 'notification' }
  | { readonly kind: 'broken'; readonly id: Id; readonly error: RpcErrorData };

export type Incoming =
  | { readonly kind: 'single'; readonly message: Message }
  | { readonly kind: 'batch'; readonly messages: readonly Message[] };

const maxId = 0xffff_ffff_ffff_ffffn;

/** The SDK takes unsigned 64-bit integers; psp-6 any integer (RPC.md §4.2, §9). */
const isId = (value: unknown, dialect: Dialect): value is Id => {
  if (value === null || typeof value === 'string') return true;
  if (typeof value !== 'bigint' && !Number.isInteger(value)) return false;
  return dialect === 'psp-6' || ((value as number | bigint) >= 0 && (value as number | bigint) <= maxId);
};

const broken = (id: Id, error: RpcErrorData): Message => ({ kind: 'broken', id, error });

/** serde takes a list of its members for a struct: so does the SDK's server inside of a batch, whose entries are read like this. */
const readList = (list: readonly unknown[], dialect: Dialect): Message => {
  const [first, second, third, params] = list;
  if (list.length === 1 && isId(first, dialect)) return broken(first, invalidRequest);
  if (first === '2.0' && list.length === 3 && typeof second === 'string') return { kind: 'notification' };
  const isCall = first === '2.0' && list.length === 4 && isId(second, dialect) && typeof third === 'string';
  return isCall ? { kind: 'request', id: second, method: third, params } : broken(null, invalidRequest);
};

/** The native node's reading of an element, member by member (fixtures: protocol.jsonl). */
const readMessage = (
  value: unknown,
  dialect: Dialect,
  nameless: RpcErrorData,
  flaw: Flaw | undefined,
): Message => {
  if (typeof value !== 'object' || value === null) return broken(null, nameless);
  if (Array.isArray(value)) return dialect === 'psp-6' ? broken(null, nameless) : readList(value, dialect);
  const { id, jsonrpc, method, params } = value as Readonly<Record<string, unknown>>;
  const isCall = jsonrpc === '2.0' && typeof method === 'string' && flaw?.call !== true;
  if (!isId(id, dialect) || flaw?.id === true)
    return isCall ? { kind: 'notification' } : broken(null, nameless);
  return isCall ? { kind: 'request', id, method, params } : broken(id, invalidRequest);
};

const faults = new WeakMap<object, string>();
/** Why the SDK's server reads no parameter from this list, or undefined. */
export const faultOfList = (params: readonly unknown[]): string | undefined => faults.get(params);

/** Only `[]` is an empty list to the SDK's server: in one that holds blanks it looks for a value (jsonrpsee-types, `ParamsSequence`). */
const markBlankLists = (text: string, messages: readonly Message[]): void => {
  for (const message of messages) {
    if (message.kind !== 'request' || !Array.isArray(message.params) || message.params.length > 0) continue;
    if (text.includes('[]')) return;
    const lines = (/"params"\s*:\s*\[(\s+)\]/.exec(text)?.[1] ?? ' ').split('\n');
    const column = (lines.at(-1) ?? '').length + 1;
    faults.set(message.params, `expected value at line ${lines.length} column ${column}`);
  }
};

/** The SDK's server looks at no more than 128 characters for the first that is not blank (RPC.md §4.1). */
const firstSign = (text: string): string => {
  const first = text.charAt(0);
  return first === '{' || first === '[' ? first : (/^[ \t\n\f\r]{0,127}([^ \t\n\f\r])/.exec(text)?.[1] ?? '');
};

/** Whether a text is meant as a batch, right or wrong. */
export const startsBatch = (text: string): boolean => firstSign(text) === '[';

/** Reads a text; never throws. An empty batch is a batch without messages. */
export const readIncoming = (text: string, dialect: Dialect): Incoming => {
  const sign = firstSign(text);
  let value: unknown;
  try {
    if (sign !== '{' && sign !== '[') return { kind: 'single', message: broken(null, parseError) };
    // A form feed is blank to the server, though not to JSON.
    value = parseJson(text.startsWith(sign) ? text : text.slice(text.indexOf(sign)));
  } catch {
    return { kind: 'single', message: broken(null, parseError) };
  }
  const flaws = dialect === 'polkadot-sdk' ? flawsOf(text, Array.isArray(value)) : null;
  if (!Array.isArray(value)) {
    const message = readMessage(value, dialect, parseError, flaws?.[0]);
    if (dialect === 'polkadot-sdk') markBlankLists(text, [message]);
    return { kind: 'single', message };
  }
  const messages = value.map((item: unknown, at) => readMessage(item, dialect, invalidRequest, flaws?.[at]));
  if (dialect === 'polkadot-sdk') markBlankLists(text, messages);
  return { kind: 'batch', messages };
};

const writeId = (id: Id): string => (typeof id === 'number' ? `${id}` : writeJson(id));

/** Responses are put together from text, so that an id keeps its digits whatever else is written. */
export const writeResult = (id: Id, result: unknown): string =>
  `{"jsonrpc":"2.0","id":${writeId(id)},"result":${textOf(result) ?? writeJson(result)}}`;

export const writeError = (id: Id, error: RpcErrorData): string =>
  `{"jsonrpc":"2.0","id":${writeId(id)},"error":${writeJson(error)}}`;

let lastItem: unknown;
let lastText = '';
/** An item that goes to many subscriptions, one after another, is written once. */
const writeItem = (item: unknown): string => {
  if (typeof item !== 'object' || item === null) return writeJson(item);
  if (item !== lastItem) {
    lastText = writeJson(item);
    lastItem = item;
  }
  return lastText;
};

/** `item` must not change afterwards. */
export const writeNotification = (method: string, subscription: string, item: unknown): string =>
  `{"jsonrpc":"2.0","method":"${method}","params":{"subscription":"${subscription}","result":${writeItem(item)}}}`;
