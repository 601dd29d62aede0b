import { parseJson, parseJsonInSteps } from '../../../src/protocol/json.ts';
import { createScan, type ScanEnd } from '../../../src/protocol/json-scan.ts';
import { maxRequestCost, maxWholeText } from '../../../src/protocol/limits.ts';
import type { Pace } from '../../tasks/pace.ts';
import type { RpcDialect } from '../dialects/dialect.ts';
import { batchTooLarge, invalidRequest, parseError, tooManyValues } from '../errors.ts';
import { readMessage, trimStart } from './envelope.ts';
import { broken, type Incoming, type Message, refuseText } from './message.ts';

/** Characters that are scanned between two looks at the time: less than 0.2 ms. */
const stepCharacters = 32_768;

export type LargeReading = {
  readonly dialect: RpcDialect;
  readonly maxBatch: number;
  readonly pace: Pace;
  /** Aborted when the client has gone; reading then ends early. */
  readonly signal: AbortSignal;
};

const malformed: Incoming = { kind: 'single', message: broken(null, parseError) };

const refusalOf = (end: ScanEnd, text: string, maxBatch: number): Incoming | null => {
  if (end === 'tooCostly') return refuseText(text, tooManyValues(maxRequestCost));
  if (end === 'tooMany') return refuseText(text, batchTooLarge(maxBatch));
  return end === 'malformed' ? malformed : null;
};

/**
 * Reads a text that is too large to be parsed at once: finds the requests in it, then parses one after the
 * other. As in `readIncoming`, nothing is called if any of it is malformed. But a text beyond a limit is refused
 * as soon as that is known, even if the rest is malformed. Never rejects.
 */
export const readLarge = async (
  given: string,
  { dialect, maxBatch, pace, signal }: LargeReading,
): Promise<Incoming> => {
  const text = trimStart(given);
  if (text === null) return malformed;
  const scan = createScan(text, { maxCost: maxRequestCost, maxParts: maxBatch });
  let end = scan.step(stepCharacters);
  for (; end === null && !signal.aborted; end = scan.step(stepCharacters)) await pace.pause();
  const refusal = end === null ? malformed : refusalOf(end, text, maxBatch);
  if (refusal !== null) return refusal;

  const { isList, parts } = scan;
  const nameless = isList ? invalidRequest : parseError;
  const parseSlowly = async (part: string): Promise<unknown> => {
    const value = await parseJsonInSteps(part, pace.pause);
    await pace.pause();
    return value;
  };
  const messages: Message[] = [];
  try {
    for (const { from, to } of parts) {
      const part = text.slice(from, to);
      const value = part.length > maxWholeText ? await parseSlowly(part) : parseJson(part);
      messages.push(readMessage(value, nameless, dialect));
      if (pace.isDue()) await pace.pause();
      if (signal.aborted) return malformed;
    }
  } catch {
    return malformed;
  }
  const [message] = messages;
  return isList || message === undefined ? { kind: 'batch', messages } : { kind: 'single', message };
};
