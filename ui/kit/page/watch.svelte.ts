import { untrack } from 'svelte';

const isSame = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other)
    ? one.length === other.length && one.every((member, index) => Object.is(member, other[index]))
    : Object.is(one, other);

/** Returns the earlier array as long as a new one has the same members. */
export const keepSame = <T>(source: () => T): (() => T) => {
  let last: { readonly value: T } | null = null;
  return () => {
    const value = source();
    if (last === null || !isSame(last.value, value)) last = { value };
    return last.value;
  };
};

/**
 * Calls `act` with the value of `source` at first and whenever it changes; an array is compared by its
 * members. Nothing that `act` reads counts.
 */
export const watch = <T>(source: () => T, act: (value: T) => unknown): void => {
  const now = $derived.by(keepSame(source));
  $effect(() => {
    const value = now;
    untrack(() => void act(value));
  });
};
