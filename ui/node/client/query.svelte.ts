import { getAbortSignal, untrack } from 'svelte';
import { keepSame } from '../../kit/page/watch.svelte.ts';

type Loaded<T> = { readonly value: T | null; readonly fault: unknown; readonly waiting: boolean };

/** Data loaded from the node, and its loading state. */
export type Query<T> = {
  /** The result for the current source; null until it arrives. Kept while the same source is loaded again. */
  readonly value: T | null;
  /** The latest result, even of an earlier source, so that a view does not go blank; null after a failure. */
  readonly latest: T | null;
  /** Why loading failed; null if it did not. */
  readonly fault: unknown;
  /** Whether a result is pending. */
  readonly waiting: boolean;
  /** Loads again, after a failure or because the result may have changed. */
  again(): void;
};

/** One load. Once `signal` is aborted, its result is dropped: the source has changed, or nothing reads it. */
const read = <T>(load: (signal: AbortSignal) => Promise<T>, signal: AbortSignal, before: T | null) => {
  let now = $state.raw<Loaded<T>>({ value: before, fault: null, waiting: true });
  const settle = (next: Loaded<T>): void => {
    if (!signal.aborted) now = next;
  };
  untrack(async () => load(signal)).then(
    (value) => settle({ value, fault: null, waiting: false }),
    (fault: unknown) => settle({ value: null, fault, waiting: false }),
  );
  return {
    get now(): Loaded<T> {
      return now;
    },
  };
};

/**
 * Loads data for a source, such as a block's hash, while something reads it, and again only when the source
 * changes; an array source is compared by its members. The latest load wins, and earlier ones are aborted.
 * With the source `undefined`, nothing is loaded.
 */
export const query = <S, T>(
  source: () => S | undefined,
  load: (source: S, signal: AbortSignal) => Promise<T>,
): Query<T> => {
  /** Replaced to load again. */
  let loading = $state.raw({ load });
  let before: { readonly of: S; readonly reading: ReturnType<typeof read<T>> } | null = null;
  const wanted = $derived.by(keepSame(source));
  const reading = $derived.by(() => {
    const { load: ask } = loading;
    if (wanted === undefined) return null;
    const of = wanted;
    const known = before?.of === of ? untrack(() => before?.reading.now.value ?? null) : null;
    const next = read((signal) => ask(of, signal), getAbortSignal(), known);
    before = { of, reading: next };
    return next;
  });
  let newest: T | null = null;
  const latest = $derived.by(() => {
    const { value = null, waiting = false } = reading?.now ?? {};
    if (value !== null || !waiting) newest = value;
    return newest;
  });
  return {
    get value(): T | null {
      return reading?.now.value ?? null;
    },
    get latest(): T | null {
      return latest;
    },
    get fault(): unknown {
      return reading?.now.fault ?? null;
    },
    get waiting(): boolean {
      return reading?.now.waiting ?? false;
    },
    again(): void {
      loading = { load };
    },
  };
};
