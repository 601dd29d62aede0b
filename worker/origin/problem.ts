import type { JsonRpcError } from '../../src/protocol/json-rpc/json-rpc-error.ts';

/**
 * Why an endpoint did not give what it was asked for.
 *
 * `limited`: it counts our requests; `lied`: a hash contradicts its answer; `noMethod`: it lacks this one; `unfit`: it
 * cannot be part of an origin; `discarded`: it had the state once; `unknown`: it has no such block or item; `edited`: an operator changed the state, so that the
 * header does not prove it; `tooLarge`: the answer exceeds a limit, its or ours.
 */
export type ProblemKind =
  | 'failed'
  | 'limited'
  | 'lied'
  | 'noMethod'
  | 'unfit'
  | 'discarded'
  | 'unknown'
  | 'edited'
  | 'tooLarge';

export type Problem = {
  readonly kind: ProblemKind;
  /** What the endpoint did, without its name: `did not respond within 15 s`. */
  readonly text: string;
  /** How long it wants to be left alone; null: it does not say. */
  readonly waitMs: number | null;
};

export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export const good = <T>(value: T): Outcome<T> => ({ ok: true, value });
export const bad = (kind: ProblemKind, text: string, waitMs: number | null = null): Outcome<never> => ({
  ok: false,
  problem: { kind, text, waitMs },
});

const longestText = 200;

/** A text of the endpoint, as an error may quote it: one short line. */
export const quote = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longestText ? `${line.slice(0, longestText)}…` : line;
};

/**
 * Codes of rate limits: of common gateways, of the SDK's own (`--rpc-rate-limit`), and HTTP's. There is no standard,
 * so the message counts as well.
 */
const limitCodes: ReadonlySet<number> = new Set([-32029, -32999, 429]);
const limitWords = /too many requests|rate.?limit|request limit|quota|throttl/i;
/** jsonrpsee's codes of too long requests and responses; older versions used -32702. */
const sizeCodes: ReadonlySet<number> = new Set([-32007, -32008, -32702]);
const sizeWords = /(response|request|payload|result|body).{0,20}too (big|large|long)/i;
const methodWords = /method.{0,40}(not found|not allowed|not supported|not available|unavailable)/i;
/** sc-client-api and sc-client-db, `UnknownBlock`. */
const discardedWords = /discarded/i;
const unknownWords = /unknown ?block|header was not found|block.{0,20}not found|expect block number/i;

/** What an error that an endpoint returned for a method means. */
export const problemOfError = (method: string, { code, message, data }: JsonRpcError): Outcome<never> => {
  const words = typeof data === 'string' ? `${message}: ${data}` : message;
  const said = `refused ${method}: ${quote(words)} (${code})`;
  if (limitCodes.has(code) || limitWords.test(words)) return bad('limited', said);
  if (sizeCodes.has(code) || sizeWords.test(words)) return bad('tooLarge', said);
  if (code === -32601 || methodWords.test(words)) return bad('noMethod', `does not offer ${method}`);
  if (discardedWords.test(words)) return bad('discarded', said);
  if (unknownWords.test(words)) return bad('unknown', said);
  return bad('failed', said);
};
