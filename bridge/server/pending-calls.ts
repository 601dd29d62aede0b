import { maxInFlight } from '../../src/protocol/limits.ts';
import { type Ids, readIds, writeErrors } from '../../src/protocol/request-ids.ts';

/** JSON-RPC's code for errors of a server; `data` is the node's own code for them (`errorCodes`). */
const serverError = -32000;

/** Why a call has no response from the node; over HTTP, with a gateway status. */
export class LostCall extends Error {
  readonly status: 503 | 504;
  constructor(status: 503 | 504, message: string) {
    super(message);
    this.name = 'LostCall';
    this.status = status;
  }
}

export const goneText = 'The page that runs this node is gone';
export const closedText = 'The page that runs this node ended this connection';
export const lateText = 'The page that runs this node does not respond';
export const busyText = 'The page that runs this node has too many requests to read';

/** The responses to the calls of one text. Without ids it could not be read as calls, and gets one without an id. */
export const writeLostText = (ids: Ids, message: string): string =>
  writeErrors(ids, { code: serverError, message, data: 'Disconnected' });

/** The pending calls of one client, as far as the bridge needs to know them. */
export type PendingCalls = {
  sent(text: string): void;
  answered(text: string): void;
  /** The responses to all of them if the node will send none. Forgets them. */
  fail(reason: string): readonly string[];
};

/** How the node writes a response (worker/rpc/connection/envelope.ts); of a batch the first one. */
const answer = /^(\[?)\{"jsonrpc":"2\.0","id":(-?\d+|"(?:[^"\\]|\\.){0,300}"),/;

/** A batch that is refused as a whole, or a text whose ids the node could not read. */
const refusal = /^\{"jsonrpc":"2\.0","id":null,"error":/;

/** The place of a text in the list: a batch and a single call may have the same id. */
const placeOf = (id: string, isBatch: boolean): string => (isBatch ? `[${id}` : id);

export const createPendingCalls = (maxCalls = maxInFlight): PendingCalls => {
  /** By the first id of a text: the ids of those that have it, oldest first. */
  const waiting = new Map<string, (readonly string[])[]>();
  let count = 0;
  const oldestBatch = (): string => [...waiting.keys()].find((place) => place.startsWith('[')) ?? '';
  return {
    sent: (text) => {
      const { ids, isBatch } = readIds(text);
      const [first] = ids;
      // The node refuses any further calls.
      if (first === undefined || count + ids.length > maxCalls) return;
      count += ids.length;
      const place = placeOf(first, isBatch);
      const same = waiting.get(place);
      if (same === undefined) waiting.set(place, [ids]);
      else same.push(ids);
    },
    answered: (text) => {
      const match = answer.exec(text);
      if (match === null && !refusal.test(text)) return;
      const place = match === null ? oldestBatch() : placeOf(match[2] as string, match[1] === '[');
      const same = waiting.get(place);
      if (same === undefined) return;
      count -= same.shift()?.length ?? 0;
      if (same.length === 0) waiting.delete(place);
    },
    fail: (reason) => {
      const texts: string[] = [];
      for (const [place, same] of waiting)
        for (const ids of same) texts.push(writeLostText({ ids, isBatch: place.startsWith('[') }, reason));
      waiting.clear();
      count = 0;
      return texts;
    },
  };
};
