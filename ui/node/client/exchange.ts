import { parseJson, writeJson } from '../../../src/protocol/json.ts';

/**
 * A message in the log: the received value, not a copy; the start of a text; or dropped to free memory.
 * `weight` is the approximate number of characters it keeps in memory.
 */
export type Body =
  | { readonly kind: 'value'; readonly value: unknown; readonly weight: number }
  | { readonly kind: 'text'; readonly text: string; readonly length: number; readonly weight: number }
  | { readonly kind: 'gone'; readonly weight: 0 };

/** One notification of a subscription. */
export type Note = { readonly id: number; readonly atMs: number; body: Body };

/** A call of any client, or a subscription with its notifications. */
export type Exchange = {
  readonly id: number;
  kind: 'call' | 'subscription';
  /** `devtools` for this page, `console` for what is typed into its console, otherwise transport and connection number: `ws 3`, `other devtools 4`. */
  client: string;
  readonly method: string;
  /** Whether the page, or the devtools of another tab, made this read by itself to display something. */
  isOwn: boolean;
  /** Number of the best block when it was made; undefined if unknown. */
  readonly best?: number | undefined;
  /** When the node took it, in milliseconds since 1970; before that, when it was made. */
  atMs: number;
  /** `unanswered`: the node, its connection or the client was gone first, so nothing is known of its effect. */
  state: 'pending' | 'ok' | 'error' | 'unanswered' | 'open' | 'closed';
  /** Time from `atMs` to the response; null while pending. */
  ms: number | null;
  ask: Body;
  /** The result or the error; null while pending. */
  answer: Body | null;
  /** The kept notifications, oldest first. */
  notes: Note[];
  /** Number of notifications received so far. */
  count: number;
  /** When its newest message arrived. */
  lastMs: number;
  /** Increases with each change, so that rows of this exchange are rendered again. */
  version: number;
};

export const gone: Body = { kind: 'gone', weight: 0 };

const deepest = 100_000;

/** The approximate number of characters in a value; visits at most 100,000 parts. */
export const weightOf = (value: unknown): number => {
  let weight = 0;
  let parts = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0 && parts < deepest) {
    parts += 1;
    const one = waiting.pop();
    if (typeof one === 'string') weight += one.length + 2;
    else if (typeof one !== 'object' || one === null) weight += 8;
    else for (const inner of Array.isArray(one) ? one : Object.values(one)) waiting.push(inner);
  }
  return weight;
};

export const valueBody = (value: unknown): Body => ({ kind: 'value', value, weight: weightOf(value) });
export const textBody = (text: string, length: number = text.length): Body => ({
  kind: 'text',
  text,
  length,
  weight: text.length,
});

/** A caught error in the form in which the node sent it. */
export const errorValue = (fault: unknown): unknown => {
  if (typeof fault !== 'object' || fault === null) return String(fault);
  const { code, message, data } = fault as { code?: unknown; message?: unknown; data?: unknown };
  return { ...(code !== undefined && { code }), message, ...(data !== undefined && { data }) };
};

const startOf = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit)}…` : text;

/** The start of a value as one line of JSON, without serializing the rest. */
export const previewValue = (value: unknown, limit: number): string => {
  let out = '';
  const list = ([open, close]: string, values: readonly unknown[], names?: readonly string[]): void => {
    out += open;
    for (const [index, inner] of values.entries()) {
      if (out.length > limit) return;
      if (index > 0) out += ',';
      if (names !== undefined) out += `${writeJson(names[index])}:`;
      write(inner);
    }
    out += close;
  };
  const write = (one: unknown): void => {
    if (typeof one === 'string') out += writeJson(one.length > limit ? one.slice(0, limit) : one);
    else if (Array.isArray(one)) list('[]', one);
    else if (one instanceof Error) write(errorValue(one));
    else if (typeof one === 'object' && one !== null) list('{}', Object.values(one), Object.keys(one));
    else out += writeJson(one);
  };
  write(value);
  return startOf(out, limit);
};

/** The start of a message as text. */
export const previewBody = (body: Body | null, limit: number): string => {
  if (body === null) return '';
  if (body.kind === 'gone') return 'dropped: the log was full';
  if (body.kind === 'value') return previewValue(body.value, limit);
  return startOf(body.text, limit);
};

/** The start of a request's params. For truncated or long texts, the text that follows the `params` key. */
export const previewParams = (body: Body, limit: number): string => {
  if (body.kind !== 'text') return previewBody(body, limit);
  const { text, length } = body;
  if (text.length === length && length <= longestParsed) {
    const message = bodyValue(body);
    if (typeof message === 'object' && message !== null && 'method' in message)
      return 'params' in message ? previewValue(message.params, limit) : '';
  }
  const at = text.indexOf(paramsName);
  return startOf(at === -1 ? text : text.slice(at + paramsName.length), limit);
};

const longestParsed = 2000;
const paramsName = '"params":';

/** The value of a body; a text that is truncated or not JSON stays a string. */
export const bodyValue = (body: Body): unknown => {
  if (body.kind === 'gone') return null;
  if (body.kind === 'value') return body.value instanceof Error ? errorValue(body.value) : body.value;
  try {
    return parseJson(body.text);
  } catch {
    return body.text;
  }
};
