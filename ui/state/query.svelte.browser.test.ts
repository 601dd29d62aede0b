import { flushSync } from 'svelte';
import { expect, it, onTestFinished } from 'vitest';
import { query } from './query.svelte.ts';

/** A query over a source that the test changes, answered when the test says so, and what a reader saw of it. */
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
    /** Lets what was answered arrive. */
    settle: async () => {
      await new Promise((resolve) => setTimeout(resolve));
      flushSync();
    },
  };
};

it('an answer of an earlier source is dropped, however late it comes', async () => {
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

it('a refusal of an earlier source is dropped too', async () => {
  const { asked, result, put, settle } = open();
  put([2]);
  asked[0]?.answer.reject(new Error('gone'));
  asked[1]?.answer.resolve('two');
  await settle();
  expect([result.value, result.fault]).toEqual(['two', null]);
});

it('a source that is the same in all its members is not asked again', async () => {
  const { asked, put } = open();
  put([1]);
  put([1]);
  expect(asked.length).toBe(1);
});

it('the value is of the present source alone; the latest stays until another one is there', async () => {
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

it('asking again keeps what is known, and forgets the failure', async () => {
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

it('nothing is asked for no source, nor while nobody looks; leaving gives the call up', async () => {
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
