import { beforeAll, describe, expect, it } from 'vitest';
import { hexToBytes } from '../bytes/hex.ts';
import { encodeHeader } from '../codec/header.ts';
import { createFakeEndpoint, openOrigin } from './fake-endpoint.fixture.ts';
import { createLimiter } from './limiter.ts';
import { createLiveChain, type LiveChain, Refused } from './live-chain.fixture.ts';
import { createVirtualTime } from './virtual-time.fixture.ts';

const open = (perSecond: number | null = null) => {
  const time = createVirtualTime();
  const limiter = createLimiter({ ...time, perSecond });
  const start = time.now();
  const { signal } = new AbortController();
  /** When each of some requests starts, in ms; each ends at once. */
  const starts = (count: number): Promise<number[]> =>
    time.until(
      Promise.all(
        Array.from({ length: count }, async () => {
          const release = await limiter.take(signal);
          const at = time.now() - start;
          release?.();
          return at;
        }),
      ),
    );
  return { time, limiter, signal, starts };
};

describe('the limiter of an endpoint', () => {
  it('runs eight requests at once, and the next one when one ends', async () => {
    const { limiter, signal } = open();
    const releases = await Promise.all(Array.from({ length: 8 }, () => limiter.take(signal)));
    let isStarted = false;
    const ninth = limiter.take(signal).then((release) => {
      isStarted = true;
      return release;
    });
    await new Promise(setImmediate);
    expect(isStarted).toBe(false);
    releases[3]?.();
    releases[3]?.();
    expect(await ninth).toBeTypeOf('function');
  });

  it('keeps the distance that the user gave, whatever the endpoint does', async () => {
    const { limiter, starts } = open(4);
    expect(await starts(4)).toEqual([0, 250, 500, 750]);
    limiter.slowDown(0);
    for (let at = 0; at < 100; at += 1) limiter.speedUp();
    expect(await starts(3)).toEqual([1000, 1250, 1500]);
  });

  it('learns a distance from refusals, and forgets it after successes', async () => {
    const { limiter, starts } = open();
    expect(await starts(3)).toEqual([0, 0, 0]);
    limiter.slowDown(null);
    expect(await starts(3)).toEqual([500, 550, 600]);
    limiter.slowDown(null);
    // The pause has doubled, as has the distance.
    expect(await starts(3)).toEqual([1600, 1700, 1800]);
    for (let at = 0; at < 100; at += 1) limiter.speedUp();
    const later = await starts(3);
    expect(new Set(later).size).toBe(1);
  });

  it('waits as long as the endpoint says, at most a minute, and counts refusals at once as one', async () => {
    const { limiter, starts } = open();
    limiter.slowDown(null);
    limiter.slowDown(null);
    expect(limiter.pausedMs()).toBe(500);
    limiter.slowDown(3000);
    limiter.slowDown(7000);
    limiter.slowDown(5000);
    expect(limiter.pausedMs()).toBe(7000);
    expect(await starts(2)).toEqual([7000, 7050]);
    limiter.slowDown(1e9);
    expect(limiter.pausedMs()).toBe(60_000);
  });

  it('drops requests that are given up, and refuses more than it can hold', async () => {
    const { limiter, starts } = open();
    limiter.slowDown(1000);
    const aborter = new AbortController();
    const waiting = Array.from({ length: 8192 }, () => limiter.take(aborter.signal));
    expect(await limiter.take(aborter.signal)).toBeNull();
    aborter.abort();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([null]));
    expect(await limiter.take(aborter.signal)).toBeNull();
    expect((await starts(1)).length).toBe(1);
  });
});

describe('an endpoint that limits requests', () => {
  let chain: LiveChain;
  beforeAll(async () => {
    chain = await createLiveChain();
  });
  const block = (number: number) => chain.blocks[number] as LiveChain['blocks'][number];

  it.each([
    [-32029, 'Too Many Requests'],
    [-32999, 'RPC rate limit exceeded'],
    [429, 'Slow down'],
    [-32005, 'daily request limit exceeded'],
    [-32000, 'You are being throttled'],
  ])('with %i “%s” is asked again when it allows it', async (code, message) => {
    let untilMs = 0;
    const limited = createFakeEndpoint('limited', chain, {
      result: ({ method }, honest) => {
        if (method === 'chain_getHeader' && rig.time.now() < untilMs) throw new Refused(code, message);
        return honest();
      },
    });
    const rig = openOrigin(chain, [limited]);
    // For five seconds.
    untilMs = rig.time.now() + 5000;
    const header = await rig.until(rig.origin.header(hexToBytes(block(5).hash)));
    expect(header).toEqual(encodeHeader(block(5).header));
    expect(limited.count('chain_getHeader')).toBe(5);
    expect(rig.origin.stats().endpoints[0]).toMatchObject({ state: 'fit', failures: 0 });
    rig.origin.close();
  });

  it('is not waited for while another one is there', async () => {
    const limited = createFakeEndpoint('limited', chain, {
      result: ({ method }, honest) => {
        if (method === 'chain_getHeader') throw new Refused(-32029, 'Too Many Requests');
        return honest();
      },
    });
    const rig = openOrigin(chain, [limited, createFakeEndpoint('honest', chain)]);
    const before = rig.time.now();
    for (let number = 0; number < 12; number += 1)
      expect(await rig.until(rig.origin.header(hexToBytes(block(number).hash)))).toEqual(
        encodeHeader(block(number).header),
      );
    expect(rig.time.now()).toBe(before);
    expect(limited.count('chain_getHeader')).toBeLessThan(3);
    rig.origin.close();
  });

  it('gets as many requests per second as the user says', async () => {
    const endpoint = createFakeEndpoint('honest', chain);
    const rig = openOrigin(chain, [endpoint], { requestsPerSecond: 2 });
    const before = rig.time.now();
    await rig.until(Promise.all([1, 2, 3, 4].map((at) => rig.origin.header(hexToBytes(block(at).hash)))));
    expect(rig.time.now() - before).toBe(3000);
    // Four headers and what opens the connection.
    expect(endpoint.calls.length).toBe(6);
    rig.origin.close();
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'refuses %d requests per second',
    (requestsPerSecond) => {
      expect(() => openOrigin(chain, [createFakeEndpoint('honest', chain)], { requestsPerSecond })).toThrow(
        expect.objectContaining({ code: 'BadConfig' }),
      );
    },
  );
});
