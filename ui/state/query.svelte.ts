import { getAbortSignal, untrack } from 'svelte';

type Stand<T> = { readonly value: T | null; readonly fault: unknown; readonly waiting: boolean };

/** Something asked of the node, and how far that is. */
export type Query<T> = {
  /** The answer for the present source; null until it is there. It stays while the same is asked again. */
  readonly value: T | null;
  /** The newest answer, perhaps of an earlier source, so that a view need not go blank; null after a failure. */
  readonly latest: T | null;
  /** Why there is no answer; null where nothing failed. */
  readonly fault: unknown;
  /** Whether an answer is on its way. */
  readonly waiting: boolean;
  /** Asks again, after a failure or because the node may answer something else by now. */
  again(): void;
};

const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((member, index) => Object.is(member, other[index]))
    : Object.is(one, other);

/** One reading. What comes after `signal` fired is dropped: somebody asked for something else, or nobody looks any more. */
const read = <T>(load: (signal: AbortSignal) => Promise<T>, signal: AbortSignal, before: T | null) => {
  let stand = $state.raw<Stand<T>>({ value: before, fault: null, waiting: true });
  const settle = (next: Stand<T>): void => {
    if (!signal.aborted) stand = next;
  };
  untrack(async () => load(signal)).then(
    (value) => settle({ value, fault: null, waiting: false }),
    (fault: unknown) => settle({ value: null, fault, waiting: false }),
  );
  return {
    get stand(): Stand<T> {
      return stand;
    },
  };
};

/**
 * Loads what belongs to a source, such as a block's hash, while somebody reads it: anew when the source changes, and only
 * then; a list as a source is compared by its members. The last asked wins, and an earlier call is given up by its signal.
 * `undefined` as a source asks nothing.
 */
export const query = <S, T>(
  source: () => S | undefined,
  load: (source: S, signal: AbortSignal) => Promise<T>,
): Query<T> => {
  let turn = $state(0);
  let last: S | undefined;
  let before: { readonly of: S; readonly reading: ReturnType<typeof read<T>> } | null = null;
  const wanted = $derived.by(() => {
    const next = source();
    if (!isSame(last, next)) last = next;
    return last;
  });
  const reading = $derived.by(() => {
    void turn;
    if (wanted === undefined) return null;
    const of = wanted;
    const known = before?.of === of ? untrack(() => before?.reading.stand.value ?? null) : null;
    const next = read((signal) => load(of, signal), getAbortSignal(), known);
    before = { of, reading: next };
    return next;
  });
  let newest: T | null = null;
  const latest = $derived.by(() => {
    const { value = null, waiting = false } = reading?.stand ?? {};
    if (value !== null || !waiting) newest = value;
    return newest;
  });
  return {
    get value(): T | null {
      return reading?.stand.value ?? null;
    },
    get latest(): T | null {
      return latest;
    },
    get fault(): unknown {
      return reading?.stand.fault ?? null;
    },
    get waiting(): boolean {
      return reading?.stand.waiting ?? false;
    },
    again(): void {
      turn += 1;
    },
  };
};
