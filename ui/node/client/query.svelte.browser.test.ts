import { flushSync } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { query } from './query.svelte.ts';

/** A query whose source and responses the test controls, and the values a reader saw. */
const open = () => {
  const asked: { of: number; signal: AbortSignal; answer: PromiseWithResolvers<string> }[] = [];
  let source = $state.raw<readonly [number] | undefined>([1]);
  let isRead = $state(true);
  const seen: (string | null)[] = [];
  let made: ReturnType<typeof query<readonly [number], string>> | undefined;
  const end = $effect.root(() => {
    const one = query(
      () => source,
      ([of], signal) => {
        const answer = Promise.withResolvers<string>();
        asked.push({ of, signal, answer });
        return answer.promise;
      },
    );
    made = one;
    $effect(() => {
      if (isRead) seen.push(one.value);
    });
  });
  onTestFinished(end);
  flushSync();
  if (made === undefined) throw new Error('nothing was made');
  return {
    asked,
    seen,
    end,
    result: made,
    put: (next: readonly [number] | undefined) => {
      source = next;
      flushSync();
    },
    look: (next: boolean) => {
      isRead = next;
      flushSync();
    },
    /** Waits until pending responses have arrived. */
    settle: async () => {
      await new Promise((resolve) => setTimeout(resolve));
      flushSync();
    },
  };
};

it('drops the response for an earlier source, however late', async () => {
  const { asked, result, put, settle } = open();
  put([2]);
  expect(asked.map(({ of, signal }) => [of, signal.aborted])).toEqual([
    [1, true],
    [2, false],
  ]);
  asked[1]?.answer.resolve('two');
  await settle();
  asked[0]?.answer.resolve('one');
  await settle();
  expect([result.value, result.waiting]).toEqual(['two', false]);
});

it('drops the error for an earlier source too', async () => {
  const { asked, result, put, settle } = open();
  put([2]);
  asked[0]?.answer.reject(new Error('gone'));
  asked[1]?.answer.resolve('two');
  await settle();
  expect([result.value, result.fault]).toEqual(['two', null]);
});

it('does not load again for a source with equal members', async () => {
  const { asked, put } = open();
  put([1]);
  put([1]);
  expect(asked.length).toBe(1);
});

it('has the value of the current source only, and keeps the latest one until another arrives', async () => {
  const { asked, result, put, settle } = open();
  asked[0]?.answer.resolve('one');
  await settle();
  expect([result.value, result.latest]).toEqual(['one', 'one']);
  put([2]);
  expect([result.value, result.latest, result.waiting]).toEqual([null, 'one', true]);
  asked[1]?.answer.reject(new Error('no such block'));
  await settle();
  expect([result.value, result.latest, result.waiting]).toEqual([null, null, false]);
  expect(result.fault).toEqual(new Error('no such block'));
});

it('keeps the value when loading again, and clears the error', async () => {
  const { asked, result, settle } = open();
  asked[0]?.answer.resolve('one');
  await settle();
  result.again();
  flushSync();
  expect([asked.length, result.value, result.waiting]).toEqual([2, 'one', true]);
  asked[1]?.answer.reject(new Error('busy'));
  await settle();
  result.again();
  flushSync();
  expect([result.fault, result.waiting]).toEqual([null, true]);
});

it('loads nothing without a source or reader; destroying it aborts the call', async () => {
  const { asked, result, put, look, end } = open();
  put(undefined);
  expect([asked.length, result.value, result.waiting]).toEqual([1, null, false]);
  look(false);
  put([3]);
  expect(asked.length).toBe(1);
  look(true);
  expect(asked.length).toBe(2);
  end();
  expect(asked[1]?.signal.aborted).toBe(true);
});
