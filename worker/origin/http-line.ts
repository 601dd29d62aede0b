import { toJsonRpcError } from '../../src/protocol/json-rpc/json-rpc-error.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { type Line, maxAnswerCharacters, noResult, readRecord, refuseText, writeCall } from './line.ts';
import { bad, good, type Outcome, problemOfError } from './problem.ts';
import type { LineDeps } from './session-line.ts';

export type HttpDeps = LineDeps & { readonly fetch: typeof globalThis.fetch; now(): number };

/** The text of a response; null: it is too long. */
const readText = async ({ body }: Response): Promise<string | null> => {
  if (body === null) return '';
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length <= maxAnswerCharacters) continue;
    await reader.cancel();
    return null;
  }
};

/** `Retry-After` in ms: seconds or a date (RFC 9110, section 10.2.3). */
const retryAfterMs = ({ headers }: Response, nowMs: number): number | null => {
  const text = headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isFinite(ms) && ms >= 0 ? ms : null;
};

const problemOfStatus = (response: Response, nowMs: number): Outcome<never> => {
  const { status } = response;
  const waitMs = retryAfterMs(response, nowMs);
  const said = `responded with HTTP ${status}`;
  if (status === 429 || (status === 503 && waitMs !== null)) return bad('limited', said, waitMs);
  return bad(status === 413 ? 'tooLarge' : 'failed', said);
};

const readAnswer = (text: string, id: number, method: string): Outcome<unknown> => {
  const refusal = refuseText(text);
  if (refusal !== null) return bad('failed', refusal);
  try {
    const answer = readRecord(text);
    if (answer === null) return bad('failed', 'sent an answer that is not JSON-RPC');
    if (answer['error'] !== undefined) return problemOfError(method, toJsonRpcError(answer['error']));
    if (answer['id'] !== id) return bad('failed', 'answered a request that was not sent');
    return answer['result'] === undefined ? bad('failed', noResult) : good(answer['result']);
  } catch {
    return bad('failed', 'sent an answer that is not JSON-RPC');
  }
};

/** As base64 of UTF-8 (RFC 7617, section 2.1): `btoa` takes single bytes. */
const basicOf = (username: string, password: string): string =>
  btoa(
    String.fromCharCode(...textToBytes(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`)),
  );

/** `fetch` refuses URLs with credentials. */
const splitCredentials = (url: URL): { readonly href: string; readonly headers: Record<string, string> } => {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  const { username, password } = url;
  if (username !== '' || password !== '') headers['authorization'] = `Basic ${basicOf(username, password)}`;
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return { href: bare.href, headers };
};

/** A line over HTTP: each call is a request of its own, and there are no subscriptions. */
export const createHttpLine = (url: URL, { fetch, now, count }: HttpDeps): Line => {
  const { href, headers } = splitCredentials(url);
  let lastId = 0;
  const request: Line['request'] = async (method, params, signal) => {
    lastId += 1;
    const id = lastId;
    const body = writeCall(id, method, params);
    count(body.length);
    try {
      const response = await fetch(href, {
        method: 'POST',
        headers,
        body,
        signal,
        credentials: 'omit',
        cache: 'no-store',
      });
      const text = await readText(response);
      if (text === null) return bad('tooLarge', `sent more than ${maxAnswerCharacters} characters`);
      count(text.length);
      // Some servers send a JSON-RPC error with the status of an error.
      const answer = readAnswer(text, id, method);
      const isUseful = answer.ok || answer.problem.kind !== 'failed';
      return response.ok || (isUseful && !answer.ok && response.status !== 429)
        ? answer
        : problemOfStatus(response, now());
    } catch (error) {
      // Browsers do not tell why a request failed.
      return bad('failed', `could not be reached: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return { request, subscribe: null, onEnd: () => undefined, close: () => undefined };
};
