import { expect, it } from 'vitest';
import { createAwake } from './awake.ts';

/** A thread whose turns and clock are moved by hand. */
const createThread = () => {
  const turns: (() => void)[] = [];
  let ms = 0;
  const stayAwake = createAwake(
    (run) => void turns.push(run),
    () => ms,
  );
  /** Runs the turns that wait until `later` ms have passed, one each 0.1 ms; how many there were. */
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

it('takes turns for half a millisecond after a text, then sleeps until the next', () => {
  const { stayAwake, pass, waiting } = createThread();
  stayAwake();
  expect(pass(0.3)).toBe(3);
  expect(waiting()).toBe(1);
  pass(1);
  expect(waiting()).toBe(0);
  stayAwake();
  expect(waiting()).toBe(1);
});

it('has one turn at a time however many texts come, and half a millisecond after the last', () => {
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
