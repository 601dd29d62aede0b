import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ChainView } from './chain-view.svelte.ts';

/** Functions that unsubscribe a view; outside a component the mock subscribes on the first read. */
const { stops } = vi.hoisted(() => ({ stops: [] as (() => void)[] }));
vi.mock('svelte/reactivity', () => ({
  createSubscriber: (start: () => () => void) => {
    let isOn = false;
    return () => {
      if (!isOn) stops.push(start());
      isOn = true;
    };
  },
}));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

it('requests a new block immediately, at most five times a second in a flood, and not without subscribers', async () => {
  let asked = 0;
  let notify = (): void => undefined;
  const view = new ChainView({
    isFresh: false,
    request: async (method: string) => {
      if (method !== 'chain_getHeader') return '0x08';
      asked += 1;
      return { number: '0x8' };
    },
    subscribe: (method: string, _params: unknown, _end: string, onValue: () => void) => {
      if (method === 'chain_subscribeNewHeads') notify = onValue;
      return { opened: Promise.resolve(), close: () => undefined };
    },
  } as never);
  expect(view.best).toBeNull();
  await vi.advanceTimersByTimeAsync(0);
  expect(asked).toBe(1);
  for (let head = 0; head < 48; head++) {
    notify();
    await vi.advanceTimersByTimeAsync(10);
    if (head === 0) expect(asked).toBe(2);
  }
  expect(asked).toBe(4);
  notify();
  for (const stop of stops) stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked).toBe(4);
});

it('shows finality immediately, at most five times a second in a flood, and drops a pending one after a rollback', async () => {
  let best = 8;
  let head = (): void => undefined;
  let final = (_header: unknown): void => undefined;
  const view = new ChainView({
    isFresh: false,
    request: async (method: string) => (method === 'chain_getHeader' ? { number: best } : '0x08'),
    subscribe: (method: string, _params: unknown, _end: string, onValue: typeof final) => {
      if (method === 'chain_subscribeNewHeads') head = () => onValue(null);
      else final = onValue;
      return { opened: Promise.resolve(), close: () => undefined };
    },
  } as never);
  expect(view.finalized).toBe(0);
  await vi.advanceTimersByTimeAsync(1000);
  final({ number: '0x6' });
  expect(view.finalized).toBe(6);
  final({ number: '0x7' });
  final({ number: '0x8' });
  expect(view.finalized).toBe(6);
  await vi.advanceTimersByTimeAsync(200);
  expect(view.finalized).toBe(8);
  final({ number: '0x9' });
  best = 3;
  head();
  await vi.advanceTimersByTimeAsync(1000);
  expect(view.finalized).toBe(3);
});
