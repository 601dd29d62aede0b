import { expect, test } from 'vitest';
import { hostOf } from './host.ts';

test('a worker that was terminated is no longer listened to', () => {
  const heard = new Map<string, AbortSignal | undefined>();
  const worker = {
    addEventListener: (type: string, _: unknown, { signal }: AddEventListenerOptions = {}) =>
      heard.set(type, signal),
    terminate: () => undefined,
  };
  const host = hostOf(worker as unknown as Worker);
  expect([...heard.keys()]).toEqual(['message', 'error']);
  expect([...heard.values()].map((signal) => signal?.aborted)).toEqual([false, false]);
  host.terminate();
  expect([...heard.values()].map((signal) => signal?.aborted)).toEqual([true, true]);
});
