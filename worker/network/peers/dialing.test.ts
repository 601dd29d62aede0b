import { beforeEach, describe, expect, it } from 'vitest';
import { createDialing, type DialingDeps } from './dialing.ts';
import type { End } from './end.ts';

let nowMs: number;
let timers: Map<number, { readonly atMs: number; readonly run: () => void }>;
let dialled: string[];
let connected: Map<
  string,
  { readonly end: (reason?: string | null, wasPeer?: boolean) => void; readonly isDialer: boolean }
>;
let reachable: Set<string>;
let banned: Set<string>;

beforeEach(() => {
  nowMs = 0;
  timers = new Map();
  dialled = [];
  connected = new Map();
  reachable = new Set();
  banned = new Set();
});

const create = (outPeers = 8) => {
  let made = 0;
  const memberOf = (id: string, { isDialer }: { readonly isDialer: boolean }) => ({
    id,
    role: 'full',
    connection: { isDialer },
  });
  const dialing = createDialing({
    members: {
      all: () => [...connected].map(([id, one]) => memberOf(id, one)),
      get: (id: string) => (connected.has(id) ? memberOf(id, { isDialer: true }) : null),
    } as unknown as DialingDeps['members'],
    dial: async (address, id) => {
      dialled.push(address);
      if (!reachable.has(address)) throw new Error(`${address} cannot be reached`);
      const ended = Promise.withResolvers<End>();
      const end = (reason: string | null = null, wasPeer = true): void => {
        connected.delete(id);
        ended.resolve({ reason, wasPeer });
      };
      connected.set(id, { end, isDialer: true });
      return { closed: ended.promise };
    },
    isBanned: (id) => banned.has(id),
    outPeers: () => outPeers,
    now: () => nowMs,
    schedule: (ms, run) => {
      const id = ++made;
      timers.set(id, { atMs: nowMs + ms, run });
      return () => void timers.delete(id);
    },
  });
  return dialing;
};

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};

/** Lets time pass, with everything that is due in it. */
const pass = async (ms: number): Promise<void> => {
  const end = nowMs + ms;
  for (;;) {
    await settle();
    const [next] = [...timers].filter(([, { atMs }]) => atMs <= end).sort(([, a], [, b]) => a.atMs - b.atMs);
    if (next === undefined) break;
    timers.delete(next[0]);
    nowMs = next[1].atMs;
    next[1].run();
  }
  nowMs = end;
};

describe('nodes that are dialled', () => {
  it('are tried again after longer and longer times, a minute at most, as long as they cannot be reached', async () => {
    const dialing = create();
    dialing.add('a', '/a', false);
    const times: number[] = [];
    for (let second = 0; second < 300; second++) {
      await pass(1000);
      if (dialled.splice(0).length > 0) times.push(second);
    }
    const waits = times.slice(1).map((time, index) => time - (times[index] as number));
    // The first two are within the first second.
    expect(waits.slice(0, 5)).toEqual([2, 4, 8, 16, 32]);
    expect(new Set(waits.slice(5))).toEqual(new Set([60]));
    expect([...dialing.faults()]).toEqual([['a', '/a cannot be reached']]);
    reachable.add('/a');
    await pass(60_000);
    expect([...connected.keys()]).toEqual(['a']);
    expect([...dialing.faults()]).toEqual([]);
    dialing.close();
    expect(timers.size).toBe(0);
  });

  it('have several addresses, of which the first that works is used', async () => {
    const dialing = create();
    reachable.add('/two');
    dialing.add('a', '/one', false);
    await settle();
    dialing.add('a', '/two', false);
    await pass(1000);
    expect([...connected.keys()]).toEqual(['a']);
    expect(dialled).toEqual(['/one', '/one', '/two']);
  });

  it('are as many as there are slots; reserved ones need none', async () => {
    const dialing = create(2);
    for (const id of ['a', 'b', 'c', 'd']) {
      reachable.add(`/${id}`);
      dialing.add(id, `/${id}`, id === 'd');
    }
    await pass(5000);
    expect([...connected.keys()].sort()).toEqual(['a', 'b', 'd']);
    connected.get('a')?.end();
    await settle();
    dialing.check();
    await pass(5000);
    expect(connected.has('c') || connected.has('a')).toBe(true);
    expect(connected.size).toBe(3);
  });

  it('are left alone while they are banned, or connected from their side', async () => {
    const dialing = create();
    banned.add('a');
    connected.set('b', { end: () => undefined, isDialer: false });
    dialing.add('a', '/a', true);
    dialing.add('b', '/b', true);
    await pass(10_000);
    expect(dialled).toEqual([]);
    banned.clear();
    dialing.check();
    await pass(1000);
    expect(dialled.length).toBeGreaterThan(0);
  });

  it('that end a connection at once are not dialled in a loop', async () => {
    const dialing = create();
    reachable.add('/a');
    dialing.add('a', '/a', true);
    for (let second = 0; second < 60; second++) {
      connected.get('a')?.end();
      await pass(1000);
    }
    expect(dialled.length).toBeLessThan(9);
    dialing.clear();
    connected.get('a')?.end();
    dialled.length = 0;
    await pass(120_000);
    expect(dialled.length).toBeLessThan(2);
  });

  it('that take this node as no peer are dialed less and less often, and the last known reason is kept', async () => {
    const dialing = create();
    reachable.add('/a');
    dialing.add('a', '/a', true);
    await settle();
    connected.get('a')?.end('It is on another chain', false);
    for (let second = 0; second < 300; second++) {
      await pass(1000);
      // Longer than a connection that is cut at once.
      if (second % 15 === 0) connected.get('a')?.end(null, false);
    }
    connected.get('a')?.end(null, false);
    await settle();
    expect(dialled.length).toBeLessThan(10);
    expect([...dialing.faults()]).toEqual([['a', 'It is on another chain']]);
  });
});
