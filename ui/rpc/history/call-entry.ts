/** What a call returned: nothing yet (or not stored), a value, or the beginning of its JSON text. */
export type Answer =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly value: unknown }
  | { readonly kind: 'cut'; readonly text: string };

/** A call in the history of the console. */
export type CallEntry = {
  readonly id: number;
  readonly method: string;
  /** As written. */
  readonly params: string;
  readonly state: 'pending' | 'ok' | 'error' | 'unanswered' | 'open' | 'cancelled';
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** From the request to the response or the newest notification; null until one arrives. */
  readonly ms: number | null;
  readonly sizeBytes: number | null;
  /** The result, the error, or the newest notification. */
  readonly answer: Answer;
  /** Number of notifications of a subscription so far. */
  readonly count: number;
  /** The user's name for the call; empty for none. */
  readonly label: string;
  readonly starred: boolean;
  /** Whether the params had a secret, so that none of them is kept. */
  readonly isHidden?: boolean;
  /** Hash of the best block when it was run, which a call that names no block was about; absent if that was not known. */
  readonly best?: string;
};

export const stateWords = {
  pending: { word: 'running', tone: 'accent' },
  ok: { word: 'ok', tone: 'ok' },
  error: { word: 'error', tone: 'bad' },
  unanswered: { word: 'no answer', tone: 'warn' },
  open: { word: 'subscribed', tone: 'accent' },
  cancelled: { word: 'canceled', tone: 'warn' },
} as const;

/** The method name of a batch in the history; its params are the calls. */
export const batchMethod = 'batch';

/** The word for the state of a call, and its color. A batch in which calls failed has its answers as error. */
export const stateOf = ({ state, answer }: CallEntry): { readonly word: string; readonly tone: string } => {
  const answers: unknown = state === 'error' && answer.kind === 'whole' ? answer.value : null;
  if (!Array.isArray(answers)) return stateWords[state];
  return { word: `${answers.filter(isFailed).length} of ${answers.length} failed`, tone: 'bad' };
};

/** Whether an answer in a batch is an error. */
export const isFailed = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && 'error' in answer;

/** A call being written, and the id of the call whose result is shown; null for none. */
export type CallTab = {
  readonly id: number;
  readonly method: string;
  readonly params: string;
  readonly shownId: number | null;
  /** Whether it was the open one, of those that are stored. */
  readonly isOpen?: boolean;
  /** Whether the params have a secret, so that they are not stored. */
  readonly isSecret?: boolean;
};
