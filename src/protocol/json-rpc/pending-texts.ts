import type { JsonRpcError } from './json-rpc-error.ts';

export type CallId = number | string;

/** A refusal without an id. Only texts up to number `sent` can be the refused one. */
type Refusal = { readonly error: JsonRpcError; readonly sent: number };

/** A text sent to the node: one call or a batch. */
type Text = {
  /** Counted from 1 in the order in which the texts were sent. */
  readonly number: number;
  readonly ids: readonly CallId[];
  readonly isBatch: boolean;
  readonly length: number;
  /** The refusal that this text was taken for. */
  refusal: Refusal | null;
};

/** What a caller does with the outcome of its call. */
export type Caller = {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onItem: ((item: unknown) => void) | null;
  /** A message with the caller's own id, which gets every response at once: only refusals without an id are passed on. */
  readonly isPosted?: true;
};

type Pending = Caller & { readonly text: Text };

/** Codes with which jsonrpsee refuses batches only: not supported, too many calls, too large a response. */
const batchCodes: ReadonlySet<number> = new Set([-32005, -32010, -32011]);

const canBe = ({ error, sent }: Refusal, text: Text): boolean =>
  text.number <= sent && (text.isBatch || !batchCodes.has(error.code));

/** A text longer than this is too long; 0 if the error is not about length. */
const limitOf = ({ code, data }: JsonRpcError): number =>
  code === -32007 && typeof data === 'string'
    ? Number(/^Exceeded max limit of (\d+)$/.exec(data)?.[1] ?? 0)
    : 0;

/** Texts taken for refused ones that are remembered, in case that another was. */
const maxGuesses = 4096;

export type PendingTexts = {
  /** Adds the calls of a text that is about to be sent, with ids that are not pending. */
  add(ids: readonly CallId[], callers: readonly Caller[], isBatch: boolean, length: number): void;
  has(id: CallId): boolean;
  size(): number;
  /** Removes the call that a response belongs to, and returns its caller; undefined if nobody waits for it. */
  take(id: unknown): Caller | undefined;
  /** Rejects the calls of the text that a refusal without an id most probably belongs to. */
  refuse(error: JsonRpcError): void;
  takeAll(): readonly Caller[];
};

type Lists = { readonly pending: Map<CallId, Pending>; readonly guessed: Map<CallId, Text> };

const findPending = ({ pending }: Lists, refusal: Refusal): Text | null => {
  const limit = limitOf(refusal.error);
  let oldest: Text | null = null;
  for (const { text } of pending.values()) {
    if (text.number > refusal.sent) break;
    if (!canBe(refusal, text)) continue;
    if (text.length > limit) return text;
    oldest ??= text;
  }
  return oldest;
};

const reject = ({ pending, guessed }: Lists, text: Text, refusal: Refusal): void => {
  text.refusal = refusal;
  for (const id of text.ids) {
    const caller = pending.get(id);
    if (caller === undefined) continue;
    pending.delete(id);
    guessed.set(id, text);
    if (guessed.size > maxGuesses) guessed.delete(guessed.keys().next().value as CallId);
    caller.reject(refusal.error);
  }
};

/**
 * Finds a text for a refusal. If only texts that were taken for others are left, one of them is the right one: its
 * refusal then needs another text. `tried` are the texts already considered.
 */
const place = (lists: Lists, refusal: Refusal, tried: Set<Text>): boolean => {
  const text = findPending(lists, refusal);
  if (text !== null) {
    reject(lists, text, refusal);
    return true;
  }
  for (const other of lists.guessed.values()) {
    if (other.refusal === null || tried.has(other) || !canBe(refusal, other)) continue;
    tried.add(other);
    if (!place(lists, other.refusal, tried)) continue;
    other.refusal = refusal;
    return true;
  }
  return false;
};

/**
 * The texts that the node has not answered. A call stays in the list after its caller has aborted it, because the
 * node answers it all the same.
 *
 * An error without an id does not say which text it refuses. The oldest one is taken for it; among those that it
 * can belong to, if the error is one of batches or of long texts. If the node later answers that text, the guess was
 * wrong, and the next one is refused. So each text has an outcome once the node has replied to all of them.
 */
export const createPendingTexts = (): PendingTexts => {
  const pending = new Map<CallId, Pending>();
  const guessed = new Map<CallId, Text>();
  const lists: Lists = { pending, guessed };
  let sent = 0;

  /** The node has answered a text, so it is not a refused one. */
  const correctGuess = (id: CallId): void => {
    const text = guessed.get(id);
    if (text === undefined) return;
    const { refusal } = text;
    for (const one of text.ids) guessed.delete(one);
    if (refusal !== null) place(lists, refusal, new Set());
  };

  return {
    add: (ids, callers, isBatch, length) => {
      sent += 1;
      const text: Text = { number: sent, ids, isBatch, length, refusal: null };
      for (const [at, caller] of callers.entries()) pending.set(ids[at] as CallId, { ...caller, text });
    },
    has: (id) => pending.has(id),
    size: () => pending.size,
    take: (given) => {
      const id = given as CallId;
      const found = pending.get(id);
      if (found === undefined) correctGuess(id);
      else pending.delete(id);
      // Then each refusal has a text, and each text an outcome.
      if (pending.size === 0) guessed.clear();
      return found;
    },
    refuse: (error) => {
      place(lists, { error, sent }, new Set());
    },
    takeAll: () => {
      const callers = [...pending.values()];
      pending.clear();
      guessed.clear();
      return callers;
    },
  };
};
