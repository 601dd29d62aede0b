import { expect, it, vi } from 'vitest';
import type { Origin } from '../chain/origin.ts';
import { reportProgress } from './progress.ts';

const setUp = () => {
  let changed = (): void => undefined;
  const stats = { requests: 0, bytes: 0, lies: 0, endpoints: [] };
  const origin = {
    stats: () => stats,
    onProgress: (listener: () => void) => {
      changed = listener;
      return () => {
        changed = () => undefined;
      };
    },
    nodes: async () => [],
    close: vi.fn(),
  } as unknown as Origin;
  const timers: (() => void)[] = [];
  const port = { postMessage: vi.fn(), close: vi.fn() };
  const reported = reportProgress(origin, port as unknown as MessagePort, (_ms, run) => {
    timers.push(run);
    return () => void timers.splice(timers.indexOf(run), 1);
  });
  return { origin, reported, timers, port, stats, change: () => changed() };
};

it('reports the first change at once, and those of the next moment together', async () => {
  const { reported, timers, port, stats, change } = setUp();
  stats.requests = 1;
  change();
  expect(port.postMessage.mock.calls).toEqual([[{ requests: 1, bytes: 0, items: 0 }]]);
  const key = new Uint8Array(1);
  await reported.nodes(key, [{ child: null, keys: [key, key] }], []);
  stats.requests = 2;
  stats.bytes = 9;
  change();
  expect(port.postMessage).toHaveBeenCalledTimes(1);
  timers.shift()?.();
  expect(port.postMessage.mock.lastCall).toEqual([{ requests: 2, bytes: 9, items: 2 }]);
  // Nothing has changed since.
  timers.shift()?.();
  expect(port.postMessage).toHaveBeenCalledTimes(2);
  change();
  expect(port.postMessage).toHaveBeenCalledTimes(3);
});

it('ends with the origin', () => {
  const { origin, reported, timers, port, change } = setUp();
  change();
  reported.close();
  expect(timers).toEqual([]);
  change();
  expect(port.postMessage).toHaveBeenCalledTimes(1);
  expect(port.close).toHaveBeenCalledOnce();
  expect(origin.close).toHaveBeenCalledOnce();
});
