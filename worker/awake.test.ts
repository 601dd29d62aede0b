import { expect, it } from 'vitest';
import { createAwake } from './awake.ts';

/** A thread whose event loop turns and clock the test controls. */
const createThread = () => {
  const turns: (() => void)[] = [];
  let ms = 0;
  const stayAwake = createAwake(
    (run) => void turns.push(run),
    () => ms,
  );
  /** Advances the clock by `later` ms and runs one queued turn every 0.1 ms. Returns how many turns ran. */
  const pass = (later: number): number => {
    const until = ms + later;
    let ran = 0;
    while (ms < until) {
      ms += 0.1;
      for (const run of turns.splice(0)) {
        run();
        ran += 1;
      }
    }
    return ran;
  };
  return { stayAwake, pass, waiting: () => turns.length };
};

it('takes turns for half a millisecond after a message, then sleeps until the next one', () => {
  const { stayAwake, pass, waiting } = createThread();
  stayAwake();
  expect(pass(0.3)).toBe(3);
  expect(waiting()).toBe(1);
  pass(1);
  expect(waiting()).toBe(0);
  stayAwake();
  expect(waiting()).toBe(1);
});

it('queues one turn at a time, however many messages arrive, until half a millisecond after the last', () => {
  const { stayAwake, pass, waiting } = createThread();
  for (let text = 0; text < 100; text++) stayAwake();
  expect(waiting()).toBe(1);
  pass(0.4);
  stayAwake();
  pass(0.4);
  expect(waiting()).toBe(1);
  pass(0.4);
  expect(waiting()).toBe(0);
});
