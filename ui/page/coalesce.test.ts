import { expect, it } from 'vitest';
import { coalesce } from './coalesce.ts';

it('runs once more for all who asked during a run, and anew for who asks at its end', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const read = coalesce(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  const all = [read(), read(), read()];
  expect(runs.length).toBe(1);
  runs[0]?.resolve();
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  // Before those who waited are told.
  for (let turns = 0; runs.length < 3 && turns < 20; turns += 1) {
    await null;
    if (turns === 3) all.push(read());
  }
  expect(runs.length).toBe(3);
  runs[2]?.resolve();
  await Promise.all(all);
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
