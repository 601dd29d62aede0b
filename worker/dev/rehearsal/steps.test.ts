import { expect, it } from 'vitest';
import type { RehearsalPosition } from '../../../src/protocol/rehearsal.ts';
import { startSteps } from './steps.ts';

const open = (signal?: AbortSignal) => {
  const shown: RehearsalPosition[] = [];
  const run = async <T>(attempt: () => T): Promise<T> => attempt();
  const steps = startSteps({ run }, { watch: (position) => shown.push(position), signal });
  return { steps, shown };
};
const state = { get: () => null, exists: () => false, childGet: () => null, childExists: () => false };

it('what a call of the runtime reads is shown while it runs', async () => {
  const { steps, shown } = open();
  await steps.begin('upgrade', 5);
  expect(shown).toEqual([{ step: 'upgrade', block: 5, keys: 0 }]);
  const reads = steps.reads.counted(state);
  await steps.run(() =>
    steps.reads.during(() => {
      for (let read = 0; read < 256; read++) reads.get();
      expect(shown.at(-1)?.keys).toBe(256);
    }),
  );
});

it('the keys of a step are added to those before it; what a run reads again is not', async () => {
  const { steps, shown } = open();
  await steps.begin('checks', null);
  for (let key = 0; key < 3; key++) steps.ahead();
  steps.seen(2);
  steps.seen(4);
  await steps.begin('upgrade', 5);
  steps.ahead();
  expect(shown.map(({ step, keys }) => [step, keys])).toEqual([
    ['checks', 0],
    ['checks', 1],
    ['checks', 2],
    ['checks', 3],
    ['checks', 4],
    ['upgrade', 4],
    ['upgrade', 5],
  ]);
});

it('ends before its next attempt or step once it is canceled', async () => {
  const ended = new AbortController();
  const { steps } = open(ended.signal);
  expect(await steps.run(() => 7)).toBe(7);
  ended.abort();
  await expect(steps.run(() => 7)).rejects.toMatchObject({ code: 'Aborted' });
  await expect(steps.begin('blocks', 5)).rejects.toMatchObject({ code: 'Aborted' });
});
