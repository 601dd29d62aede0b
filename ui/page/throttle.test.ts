import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle, throttleValue } from './throttle.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('updates immediately after a pause, and once for all calls within one', async () => {
  let updates = 0;
  const tell = throttle(() => {
    updates += 1;
  }, 100);
  tell();
  expect(updates).toBe(1);
  tell();
  tell();
  expect(updates).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(updates).toBe(2);
  await vi.advanceTimersByTimeAsync(1000);
  expect(updates).toBe(2);
  tell();
  expect(updates).toBe(3);
});

it('takes the first value immediately, then the last one per interval, each only once', async () => {
  const taken: number[] = [];
  const take = throttleValue<number>((value) => taken.push(value), 100);
  for (let value = 0; value < 25; value++) {
    take(value);
    await vi.advanceTimersByTimeAsync(10);
  }
  await vi.advanceTimersByTimeAsync(1000);
  expect(taken).toEqual([0, 9, 19, 24]);
});
