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
    base: () => null,
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
    base: () => null,
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

it('requests the best block of the start info together with the hashes, and takes the one that is canonical', async () => {
  const load = async (bestHash: string) => {
    const asked: unknown[] = [];
    const view = new ChainView({
      info: { bestNumber: 1, bestHash, finalizedNumber: 0 },
      isFresh: true,
      base: () => null,
      request: async (method: string, params: readonly string[]) => {
        asked.push([method, ...params]);
        if (method === 'chain_getBlockHash') return ['b', 'a'];
        const header = { number: params[0] === 'a' ? '0x0' : '0x1', parentHash: 'a' };
        return method === 'chain_getBlock' ? { block: { header, extrinsics: [] } } : header;
      },
      subscribe: () => ({ opened: Promise.resolve(), close: () => undefined }),
    } as never);
    expect(view.blocks).toEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(view.blocks.map(({ hash }) => hash)).toEqual(['b', 'a']);
    return asked;
  };
  const hashes = ['chain_getBlockHash', [1, 0]];
  expect(await load('b')).toEqual([['chain_getBlock', 'b'], hashes, ['chain_getBlock', 'a']]);
  expect(await load('left')).toEqual([
    ['chain_getBlock', 'left'],
    hashes,
    ['chain_getBlock', 'b'],
    ['chain_getBlock', 'a'],
  ]);
});

it('takes the start info again once blocks are listed, unless a head has arrived', async () => {
  const start = async (hasHead: boolean) => {
    const asked: string[] = [];
    let head = (): void => undefined;
    const view = new ChainView({
      info: { bestNumber: 7, bestHash: 'g', finalizedNumber: 0 },
      isFresh: true,
      base: () => null,
      request: async (method: string) => {
        asked.push(method);
        if (method === 'chain_getBlockHash') return ['g'];
        return { number: '0x7', block: { header: { number: '0x7' }, extrinsics: [] } };
      },
      subscribe: (method: string, _params: unknown, _end: string, onValue: () => void) => {
        if (method === 'chain_subscribeNewHeads') head = onValue;
        return { opened: Promise.resolve(), close: () => undefined };
      },
    } as never);
    expect(view.best).toEqual({ number: 7, hash: 'g' });
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([]);
    if (hasHead) head();
    await vi.advanceTimersByTimeAsync(0);
    asked.length = 0;
    expect(view.blocks).toEqual([]);
    await vi.advanceTimersByTimeAsync(0);
    return asked;
  };
  expect(await start(false)).toEqual(['chain_getBlock', 'chain_getBlockHash']);
  expect(await start(true)).toEqual(['chain_getHeader', 'chain_getBlockHash', 'chain_getBlock']);
});
