import { NodeError } from '../../src/protocol/errors.ts';
import { writeJson } from '../../src/protocol/json.ts';
import { JsonRpcError } from '../../src/protocol/json-rpc/json-rpc-error.ts';
import { createSession } from '../../src/protocol/json-rpc/session.ts';
import { createSubscriptions, type Send } from '../../src/protocol/json-rpc/subscriptions.ts';
import { maxRequestBytes } from '../../src/protocol/limits.ts';
import { idAtEnds } from '../../src/protocol/request-ids.ts';
import { type Line, maxAnswerCharacters, noResult, refuseText } from './line.ts';
import { bad, good, type Outcome, problemOfError } from './problem.ts';
import type { OpenWire, Wire } from './wire.ts';

/** Abandoned calls keep their ids until they are answered: with more, the connection is of no use. */
const maxUnanswered = 512;

export type LineDeps = {
  /** Called with the characters of each text that is sent or received. */
  count(characters: number): void;
};

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A value of the session, as a value. */
const outcomeOf = async <T>(method: string, calling: Promise<T>): Promise<Outcome<T>> => {
  try {
    const value = await calling;
    return value === undefined ? bad('failed', noResult) : good(value);
  } catch (error) {
    return error instanceof JsonRpcError ? problemOfError(method, error) : bad('failed', wordsOf(error));
  }
};

/**
 * The error that stands for a text that is not read; null: it does not say which call it answers. Then the call is
 * made again for less, as if the endpoint had refused it.
 */
const refuseAnswer = (text: string): string | null => {
  const id = idAtEnds(text);
  if (id === null || text.length <= maxAnswerCharacters) return null;
  const error = { code: -32008, message: `Response is too big: ${text.length} characters` };
  return `{"jsonrpc":"2.0","id":${id},"error":${writeJson(error)}}`;
};

/** What happens on an open connection. It ends once. */
const createEnds = () => {
  const listeners = new Set<(why: string) => void>();
  let reason: string | null = null;
  return {
    reason: () => reason,
    end: (why: string): boolean => {
      if (reason !== null) return false;
      reason = why;
      for (const listener of listeners) listener(why);
      listeners.clear();
      return true;
    },
    onEnd: (listener: (why: string) => void): void => {
      if (reason === null) listeners.add(listener);
      else listener(reason);
    },
  };
};

/** A line over a WebSocket or a provider. Messages that no node sends end it. */
export const openSessionLine = async (
  open: OpenWire,
  { count }: LineDeps,
  signal: AbortSignal,
): Promise<Outcome<Line>> => {
  const ends = createEnds();
  let wire: Wire | null = null;
  let unanswered = 0;
  const end = (why: string): void => {
    if (!ends.end(why)) return;
    wire?.close();
    session.fail(new NodeError('Disconnected', why));
  };
  const session = createSession({
    post: (text) => {
      count(text.length);
      unanswered += 1;
      if (unanswered > maxUnanswered) end(`left ${maxUnanswered} requests unanswered`);
      else wire?.send(text);
    },
    receive: (message) => {
      if ((message as { readonly id?: unknown } | null)?.id !== undefined) unanswered -= 1;
    },
    maxRequestBytes,
    onStray: () => end('answered a request that was not sent'),
  });
  const receive = (text: string): void => {
    count(text.length);
    if (ends.reason() !== null) return;
    const refusal = refuseText(text);
    const answer = refusal === null ? text : refuseAnswer(text);
    if (answer === null) {
      end(refusal ?? '');
      return;
    }
    try {
      session.receive(answer);
    } catch {
      end('sent a message that is not JSON-RPC');
    }
  };
  try {
    wire = await open({ text: receive, closed: (why) => end(why) }, signal);
  } catch (error) {
    return bad('failed', wordsOf(error));
  }
  const early = ends.reason();
  if (early !== null) {
    wire.close();
    return bad('failed', early);
  }
  const send: Send = async (method, params, onItem, options) => {
    const why = ends.reason();
    if (why !== null) throw new NodeError('Disconnected', why);
    return session.send(method, params, onItem, options?.signal);
  };
  const { subscribe, unsubscribe } = createSubscriptions(send, session.forget);
  return good({
    request: (method, params, stop) => outcomeOf(method, send(method, params, null, { signal: stop })),
    subscribe: async ({ start, stop }, params, onItem, until) => {
      const options = { signal: until, unsubscribe: stop };
      const opened = await outcomeOf(start, subscribe(start, params, onItem, options));
      if (!opened.ok) return opened;
      return good(() => {
        unsubscribe(stop, opened.value).catch(() => undefined);
      });
    },
    onEnd: ends.onEnd,
    close: () => end('was closed'),
  });
};
