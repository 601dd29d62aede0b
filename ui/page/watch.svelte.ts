import { untrack } from 'svelte';

/** Calls `act` with the value of `source` at first and whenever it changes; nothing that `act` reads counts. */
export const watch = <T>(source: () => T, act: (value: T) => unknown): void => {
  $effect(() => {
    const value = source();
    untrack(() => void act(value));
  });
};
