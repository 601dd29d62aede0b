import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { throttle, throttleBlocks, throttleValue } from './throttle.ts';

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

describe('throttleBlocks', () => {
  type Flood = { readonly everyMs: number; readonly forMs: number; readonly updateMs: number };

  /** Calls it every `everyMs` for `forMs`, and returns when it ran; an update takes `updateMs`. */
  const runsOf = async ({ everyMs, forMs, updateMs }: Flood): Promise<readonly number[]> => {
    const start = performance.now();
    const runs: number[] = [];
    const take = throttleBlocks(() => {
      runs.push(performance.now() - start);
      return updateMs > 0 && new Promise((resolve) => setTimeout(resolve, updateMs));
    });
    for (let ms = 0; ms < forMs; ms += everyMs) {
      take();
      await vi.advanceTimersByTimeAsync(everyMs);
    }
    await vi.advanceTimersByTimeAsync(2000);
    return runs;
  };

  it('runs immediately at each block of a calm chain', async () => {
    expect(await runsOf({ everyMs: 500, forMs: 2000, updateMs: 90 })).toEqual([0, 500, 1000, 1500]);
  });

  it('runs at most five times a second for quick blocks of a fast node, and for slower ones of any node', async () => {
    expect(await runsOf({ everyMs: 20, forMs: 700, updateMs: 5 })).toEqual([0, 200, 400, 600, 800]);
    expect(await runsOf({ everyMs: 160, forMs: 800, updateMs: 90 })).toEqual([0, 200, 400, 600, 800]);
  });

  it('runs once a second in a flood while the node is busy, and once the flood ends', async () => {
    expect(await runsOf({ everyMs: 20, forMs: 2500, updateMs: 90 })).toEqual([0, 1000, 2000, 2630]);
    expect(await runsOf({ everyMs: 20, forMs: 500, updateMs: 90 })).toEqual([0, 630]);
  });
});
