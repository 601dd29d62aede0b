/** What came back: nothing yet, a value, or the beginning of its text. */
export type Answer =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly value: unknown }
  | { readonly kind: 'cut'; readonly text: string };

/** One call of the console. */
export type CallEntry = {
  readonly id: number;
  readonly method: string;
  /** As it was written. */
  readonly params: string;
  readonly state: 'pending' | 'ok' | 'error' | 'open' | 'cancelled';
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** From the request to the answer, or to the newest notification. */
  readonly ms: number | null;
  readonly sizeBytes: number | null;
  /** The result, the error, or the newest notification. */
  readonly answer: Answer;
  /** Notifications so far, of a subscription. */
  readonly count: number;
  /** A name that somebody gave it; empty for none. */
  readonly label: string;
  readonly starred: boolean;
};

/** How the state of a call is said, and the colour of the word. */
export const stateWords = {
  pending: { word: 'running', tone: 'warn' },
  ok: { word: 'ok', tone: 'ok' },
  error: { word: 'error', tone: 'bad' },
  open: { word: 'subscribed', tone: 'warn' },
  cancelled: { word: 'cancelled', tone: 'warn' },
} as const;

/** One call being written, with the result that stands under it. */
export type CallTab = { readonly method: string; readonly params: string; readonly shownId: number | null };
