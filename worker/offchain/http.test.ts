import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { latestReport, observe, open, type Report, seal } from '../../test/network/workers-rig.ts';
import type { Platform } from '../node.ts';

/** How long the runtime's observer waits for a response (FETCH_TIMEOUT_MS of crates/runtime). */
const workerDeadlineMs = 2000;

/** Time that only passes when the test advances it. Timers without a delay fire at once. */
const createManualTime = (startMs: number) => {
  let nowMs = startMs;
  const timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  const schedule: Platform['schedule'] = (ms, run) => {
    if (ms === 0) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    }
    const timer = { dueMs: nowMs + ms, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const advance = (ms: number): void => {
    nowMs += ms;
    for (const timer of [...timers].sort((a, b) => a.dueMs - b.dueMs))
      if (timer.dueMs <= nowMs && timers.delete(timer)) timer.run();
  };
  return { now: () => nowMs, schedule, advance };
};

beforeAll(async () => {
  await cryptoWaitReady();
});

describe('http of offchain workers', () => {
  const asked: string[] = [];
  /** Resolves when the server has received this many requests for a path. */
  const askedTimes = async (path: string, times: number): Promise<void> => {
    while (asked.filter((one) => one === path).length < times) await once(server, 'request');
  };
  const answers: Record<string, () => { status: number; headers?: Record<string, string>; body: string }> = {
    '/ok': () => ({ status: 200, body: 'twelve bytes' }),
    '/long': () => ({ status: 201, body: 'x'.repeat(100_000) }),
    '/away': () => ({ status: 302, headers: { location: 'http://localhost:1/' }, body: '' }),
  };
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers[request.url ?? '']?.();
    // No response at all: the worker's own deadline ends the wait.
    if (answer === undefined) return;
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  let origin = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const fetchOnce = async (path: string, allowed: readonly string[]): Promise<Report['fetched']> => {
    asked.length = 0;
    const { node, errors } = await open({ offchainHttp: allowed });
    await observe(node, { interval: 1, url: `${origin}${path}` });
    await seal(node);
    await node.parts.offchain.idle();
    expect(errors).toEqual([]);
    await seal(node);
    const report = await latestReport(node);
    expect(report?.block).toBe(1);
    await node.close();
    return report?.fetched ?? null;
  };

  it('is refused without an allow-list, and nothing is sent', async () => {
    expect(await fetchOnce('/ok', [])).toBeNull();
    expect(await fetchOnce('/ok', ['http://127.0.0.1', `${origin}0`])).toBeNull();
    expect(asked).toEqual([]);
  }, 30_000);

  it('requests an allowed origin, once per run, and reads head and body', async () => {
    expect(await fetchOnce('/ok', [origin])).toEqual({ status: 200, bodyBytes: 12 });
    // The second seal started the worker of block 2, which either completed or is aborted by close().
    expect(asked.filter((path) => path === '/ok').length).toBeLessThanOrEqual(2);
    expect(await fetchOnce('/long', [origin])).toEqual({ status: 201, bodyBytes: 100_000 });
  }, 30_000);

  it('does not follow redirects', async () => {
    expect(await fetchOnce('/away', [origin])).toEqual({ status: 302, bodyBytes: 0 });
  }, 30_000);

  it("a server that never responds ends with the worker's deadline, and imports continue meanwhile", async () => {
    asked.length = 0;
    const time = createManualTime(1_750_000_000_000);
    const { node, errors } = await open({ offchainHttp: [origin] }, time);
    await observe(node, { interval: 1, url: `${origin}/never` });
    await seal(node);
    for (let block = 0; block < 5; block++) await seal(node);
    expect(node.parts.chain.best().number).toBe(6);
    expect(await latestReport(node)).toBeNull();
    // Each block's worker has sent its request, so it is waiting until its deadline.
    await askedTimes('/never', 6);
    expect(node.parts.pool.readyCount()).toBe(0);
    time.advance(workerDeadlineMs - 1);
    await new Promise(setImmediate);
    expect(node.parts.pool.readyCount()).toBe(0);
    time.advance(1);
    await node.parts.offchain.idle();
    await seal(node);
    expect((await latestReport(node))?.fetched).toBeNull();
    expect(errors).toEqual([]);
    await node.close();
  }, 30_000);

  it('closing the node aborts pending requests', async () => {
    const { node, errors } = await open({ offchainHttp: [origin] });
    await observe(node, { interval: 1, url: `${origin}/never` });
    asked.length = 0;
    await seal(node);
    await askedTimes('/never', 1);
    await node.close();
    expect(errors).toEqual([]);
  }, 30_000);
});
