import { parseJson, writeJson } from '../../src/protocol/json.ts';
import { createScan } from '../../src/protocol/json-scan.ts';
import { maxResponseBytes } from '../../src/protocol/limits.ts';
import type { Outcome } from './problem.ts';

/** One connection to an endpoint, over which JSON-RPC calls are made. No promise of it rejects. */
export type Line = {
  request(method: string, params: readonly unknown[], signal: AbortSignal): Promise<Outcome<unknown>>;
  /**
   * Calls back with each item of a subscription until the function that it resolves to is called. Null: this
   * transport has no subscriptions.
   */
  readonly subscribe: Subscribe | null;
  /** Calls back once, with the reason, when the connection ends. */
  onEnd(listener: (why: string) => void): void;
  close(): void;
};

/** The names of a subscription's methods. */
export type Feed = { readonly start: string; readonly stop: string };

export type Subscribe = (
  feed: Feed,
  params: readonly unknown[],
  onItem: (item: unknown) => void,
  signal: AbortSignal,
) => Promise<Outcome<() => void>>;

/**
 * Longer answers are not read. A node's limit is 15 MiB of JSON; operators of large chains raise it to a multiple.
 */
export const maxAnswerCharacters: number = 4 * maxResponseBytes;

/** Answers that are longer are scanned before they are parsed. */
const unscanned = 1024 * 1024;
/** What one answer may cost to parse (see `createScan`): a proof of 1,000 keys has about 5,000 values. */
const maxAnswerCost = 1_000_000;

/** Whether parsing would block the thread for long: many small values in a long text. */
const isCostly = (text: string): boolean => {
  if (text.length <= unscanned || !/^\s*[[{]/.test(text)) return false;
  const scan = createScan(text.trimStart(), { maxCost: maxAnswerCost, maxParts: maxAnswerCost });
  const end = scan.step(text.length);
  return end === 'tooCostly' || end === 'tooMany';
};

/** Why a text is not even parsed; null: it may be. */
export const refuseText = (text: string): string | null => {
  if (text.length > maxAnswerCharacters) return `sent ${text.length} characters at once`;
  return isCostly(text) ? 'sent an answer with too many values' : null;
};

/** Unlike null, which means that there is no such block, a result that is missing means nothing. */
export const noResult = 'sent an answer without a result';

export const writeCall = (id: number, method: string, params: readonly unknown[]): string =>
  `{"jsonrpc":"2.0","id":${id},"method":${writeJson(method)},"params":${writeJson(params)}}`;

/** The object that a text consists of; null: it is something else. Throws a SyntaxError. */
export const readRecord = (text: string): Readonly<Record<string, unknown>> | null => {
  const value = parseJson(text);
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isRecord ? (value as Readonly<Record<string, unknown>>) : null;
};
