import { parseJson, writeGivenJson, writeJson } from '../../src/protocol/json.ts';

/** An error of a JSON-RPC response. */
export type CallError = { readonly code: number; readonly message: string; readonly data?: string };

/** A call as it is forwarded. It is serialized again, so that the node parses exactly what was checked. */
export type Call = {
  readonly kind: 'call';
  /** The client's id, as JSON. */
  readonly id: string;
  readonly method: string;
  /** As JSON. */
  readonly params: string;
};

export type Item =
  | Call
  | { readonly kind: 'notification' }
  | { readonly kind: 'refused'; readonly id: string; readonly error: CallError };

export type Text = { readonly isBatch: boolean; readonly items: readonly Item[] };

const parseError: CallError = { code: -32700, message: 'Parse error' };
const invalid = (data: string): CallError => ({ code: -32600, message: 'Invalid request', data });
const refused = (id: string, error: CallError): Item => ({ kind: 'refused', id, error });

const tokens = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\]:]/g;

/**
 * Whether an object in a valid JSON text has a duplicate name. Parsers differ in which of the two values they
 * use.
 */
export const hasDuplicateNames = (text: string): boolean => {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1);
      const name = JSON.parse(last) as string;
      if (names?.has(name)) return true;
      names?.add(name);
    } else last = token;
  }
  return false;
};

/** Maximum length of an id as JSON. Ids are kept until the node responds. */
const maxIdLength = 256;

const isId = (id: unknown): boolean =>
  id === null || typeof id === 'string' || typeof id === 'number' || typeof id === 'bigint';

const writeParams = (params: unknown): string | null => {
  if (params === undefined || params === null) return '[]';
  if (typeof params !== 'object') return null;
  const text = writeGivenJson(params);
  return text === 'null' ? null : text;
};

const readItem = (value: unknown): Item => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused('null', invalid('not an object'));
  const { id, jsonrpc, method, params } = value as Readonly<Record<string, unknown>>;
  const isCall = jsonrpc === '2.0' && typeof method === 'string';
  if (id === undefined && isCall) return { kind: 'notification' };
  if (id === undefined || !isId(id)) return refused('null', invalid('no id'));
  const idText = writeJson(id);
  if (idText.length > maxIdLength) return refused('null', invalid('the id is too long'));
  if (!isCall) return refused(idText, invalid('no jsonrpc "2.0" or no method'));
  const text = writeParams(params);
  if (text !== null) return { kind: 'call', id: idText, method, params: text };
  return refused(idText, { code: -32602, message: 'Invalid params' });
};

/** Parses a client's message. Never throws. */
export const readCalls = (text: string): Text => {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return { isBatch: false, items: [refused('null', parseError)] };
  }
  if (hasDuplicateNames(text))
    return { isBatch: false, items: [refused('null', invalid('a name occurs twice in an object'))] };
  if (!Array.isArray(value)) return { isBatch: false, items: [readItem(value)] };
  if (value.length === 0) return { isBatch: false, items: [refused('null', invalid('an empty batch'))] };
  return { isBatch: true, items: value.map(readItem) };
};

export const writeError = (id: string, error: CallError): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
