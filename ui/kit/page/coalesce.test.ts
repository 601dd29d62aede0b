import { expect, it } from 'vitest';
import { coalesce } from './coalesce.ts';

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await null;
};

it('runs once more for all who asked during a run', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const read = coalesce(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const all = [read(), read(), read()];
  expect(runs.length).toBe(1);
  runs[0]?.resolve();
  await turns(9);
  expect(runs.length).toBe(2);
  runs[1]?.resolve();
  await Promise.all(all);
  expect(runs.length).toBe(2);
});

it('runs anew for who asks at the end of a run, in whichever turn', async () => {
  for (let turn = 0; turn < 9; turn += 1) {
    let begun = 0;
    const read = coalesce(async () => {
      begun += 1;
    });
    const first = read();
    await turns(turn);
    const before = begun;
    await Promise.all([first, read()]);
    expect(begun, `${turn} turns later`).toBe(before + 1);
  }
});

it('a run that fails ends, and the next call runs again', async () => {
  let fails = true;
  const read = coalesce(async () => {
    if (fails) throw new Error('no answer');
  });
  await expect(read()).rejects.toThrow('no answer');
  fails = false;
  await expect(read()).resolves.toBeUndefined();
});
