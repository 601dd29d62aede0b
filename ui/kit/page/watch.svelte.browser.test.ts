import { flushSync } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { watch } from './watch.svelte.ts';

it('acts at first and when a member changes, not on an equal array nor on what the action reads', () => {
  let first = $state(1);
  let other = $state(0);
  const seen: number[] = [];
  onTestFinished(
    $effect.root(() =>
      watch(
        () => [first, 'same'] as const,
        ([value]) => seen.push(value + other),
      ),
    ),
  );
  const turn = (change: () => void): void => {
    change();
    flushSync();
  };
  flushSync();
  expect(seen).toEqual([1]);
  turn(() => (other = 10));
  expect(seen).toEqual([1]);
  turn(() => (first = 2));
  expect(seen).toEqual([1, 12]);
});

it('does not run forever if the action replaces its source with an equal array', () => {
  let list = $state.raw<readonly number[]>([1, 2]);
  let runs = 0;
  onTestFinished(
    $effect.root(() =>
      watch(
        () => list,
        () => {
          runs += 1;
          if (runs < 100) list = [1, 2];
        },
      ),
    ),
  );
  flushSync();
  expect(runs).toBe(1);
});
