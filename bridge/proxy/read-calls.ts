import { parseJson, parseJsonInSteps, writeGivenJson, writeJson } from '../../src/protocol/json.ts';
import { createScan } from '../../src/protocol/json-scan.ts';
import { maxRequestCost } from '../../src/protocol/limits.ts';
import { idAtEnds } from '../../src/protocol/request-ids.ts';

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

/** An error that carries the limit which was exceeded. */
export const limited = (code: number, message: string, limit: number): CallError => ({
  code,
  message,
  data: `Exceeded max limit of ${limit}`,
});

const parseError: CallError = { code: -32700, message: 'Parse error' };
const invalid = (data: string): CallError => ({ code: -32600, message: 'Invalid request', data });
const refused = (id: string, error: CallError): Item => ({ kind: 'refused', id, error });

const tokens = /"[^"\\]*(?:\\[\s\S][^"\\]*)*"|[{}[\]:]/g;

/** Takes the tokens of a valid JSON text, one after the other. True: an object has a duplicate name. */
const createNameCheck = (): ((token: string) => boolean) => {
  const open: Set<string>[] = [];
  let last = '';
  return (token) => {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1);
      const name = JSON.parse(last) as string;
      if (names?.has(name)) return true;
      names?.add(name);
    } else last = token;
    return false;
  };
};

/**
 * Whether an object in a valid JSON text has a duplicate name. Parsers differ in which of the two values they
 * use.
 */
export const hasDuplicateNames = (text: string): boolean => {
  const isDuplicate = createNameCheck();
  for (const [token] of text.matchAll(tokens)) if (isDuplicate(token)) return true;
  return false;
};

/** Null as long as there is time, then a promise during which other clients are served. */
export type Pause = () => Promise<void> | null;

const hasDuplicateNamesInSteps = async (text: string, pause: Pause): Promise<boolean> => {
  const isDuplicate = createNameCheck();
  let count = 0;
  for (const [token] of text.matchAll(tokens)) {
    if (isDuplicate(token)) return true;
    count += 1;
    if (count % 1000 === 0) await pause();
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

/** The response to a text that is refused as a whole. */
export const refuseAll = (error: CallError, id = 'null'): Text => ({
  isBatch: false,
  items: [refused(id, error)],
});
const duplicate = invalid('a name occurs twice in an object');
const emptyBatch = invalid('an empty batch');

/** Parses a client's message. Never throws. */
export const readCalls = (text: string): Text => {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return refuseAll(parseError);
  }
  if (hasDuplicateNames(text)) return refuseAll(duplicate);
  if (!Array.isArray(value)) return { isBatch: false, items: [readItem(value)] };
  if (value.length === 0) return refuseAll(emptyBatch);
  return { isBatch: true, items: value.map(readItem) };
};

/** Characters that are scanned between two looks at the time. */
const stepCharacters = 32_768;

/**
 * Parses a client's message that is too large to be parsed at once: one call after the other. Refuses a batch
 * of more calls than `maxBatch`, and one with a call of too many values. Never rejects.
 */
export const readLargeCalls = async (given: string, maxBatch: number, pause: Pause): Promise<Text> => {
  const text = given.replace(/^[ \t\n\r]+/, '');
  if (!text.startsWith('{') && !text.startsWith('[')) return refuseAll(parseError);
  const { isList, parts, step } = createScan(text, {
    maxCost: maxRequestCost,
    maxParts: Math.max(maxBatch, 1),
  });
  let end = step(stepCharacters);
  for (; end === null; end = step(stepCharacters)) await pause();
  if (end === 'tooMany') return refuseAll(limited(-32010, 'The batch request was too large', maxBatch));
  if (end === 'tooCostly')
    return refuseAll(
      limited(-32007, 'The request has too many values', maxRequestCost),
      idAtEnds(text) ?? undefined,
    );
  if (end === 'malformed') return refuseAll(parseError);
  if (parts.length === 0) return refuseAll(emptyBatch);
  const items: Item[] = [];
  let isDuplicate = false;
  try {
    for (const { from, to } of parts) {
      const part = text.slice(from, to);
      const value = await parseJsonInSteps(part, pause);
      isDuplicate ||= await hasDuplicateNamesInSteps(part, pause);
      items.push(readItem(value));
      await pause();
    }
  } catch {
    return refuseAll(parseError);
  }
  return isDuplicate ? refuseAll(duplicate) : { isBatch: isList, items };
};

export const writeError = (id: string, error: CallError): string =>
  `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`;
