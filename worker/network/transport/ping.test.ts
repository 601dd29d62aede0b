import { expect, test, vi } from 'vitest';
import type { Served, Stream } from './connection.ts';
import { connectPair, createClock, random, settled } from './pair.fixture.ts';
import { servePing, startPings } from './ping.ts';

/** Serves pings by hand. */
const serveByHand = (accept: Served['accept']) => ({
  served: () => [{ ...servePing, accept }],
  idleMs: null,
});
const noIdle = { idleMs: null };

test('pings come back, every so often', async () => {
  const clock = createClock();
  const [near] = await connectPair(noIdle, { ...noIdle, served: () => [servePing] });
  const latencies: number[] = [];
  const stop = startPings(near, { ...clock, random, everyMs: 1000, onLatency: (ms) => latencies.push(ms) });
  clock.pass(7);
  await vi.waitFor(() => expect(latencies).toEqual([7]));
  clock.pass(999);
  await settled();
  expect(latencies).toEqual([7]);
  clock.pass(1);
  await vi.waitFor(() => expect(latencies).toEqual([7, 0]));
  stop();
  expect(clock.count()).toBe(0);
});

test('a connection without an answer ends', async () => {
  const clock = createClock();
  const [near] = await connectPair(
    noIdle,
    serveByHand(() => ({ message: () => undefined, end: () => undefined })),
  );
  startPings(near, { ...clock, random });
  await settled();
  clock.pass(19_999);
  clock.pass(1);
  expect(await near.closed).toBe('The other node does not answer pings');
  expect(clock.count()).toBe(0);
});

test('a node that slept itself waits once more', async () => {
  const clock = createClock();
  let slept = 0;
  const answers: (() => void)[] = [];
  const [near] = await connectPair(
    noIdle,
    serveByHand((stream) => ({
      message: (bytes) => answers.push(() => stream.send(bytes)),
      end: () => undefined,
    })),
  );
  const onLatency = vi.fn();
  const now = () => clock.now() + slept;
  const stop = startPings(near, { schedule: clock.schedule, now, random, onLatency });
  await vi.waitFor(() => expect(answers).toHaveLength(1));
  slept = 60_000;
  clock.pass(20_000);
  await settled();
  answers[0]?.();
  await vi.waitFor(() => expect(onLatency).toHaveBeenCalledOnce());
  stop();
  expect(clock.count()).toBe(0);
});

test('other bytes than those that were sent are no answer', async () => {
  const clock = createClock();
  const streams: Stream[] = [];
  const [near] = await connectPair(
    noIdle,
    serveByHand((stream) => {
      streams.push(stream);
      const lie = streams.length === 1 ? 1 : 0;
      return {
        message: (bytes) => void stream.send(bytes.map((byte) => byte ^ lie)),
        end: () => undefined,
      };
    }),
  );
  const onLatency = vi.fn();
  const stop = startPings(near, { ...clock, random, everyMs: 100, onLatency });
  await vi.waitFor(() => expect(clock.count()).toBe(1));
  await settled();
  expect(onLatency).not.toHaveBeenCalled();
  clock.pass(100);
  await vi.waitFor(() => expect(onLatency).toHaveBeenCalledOnce());
  expect(streams).toHaveLength(2);
  stop();
});

test('a node that does not know pings is left in peace', async () => {
  const clock = createClock();
  const [near] = await connectPair(noIdle, noIdle);
  startPings(near, { ...clock, random });
  await vi.waitFor(() => expect(clock.count()).toBe(0));
  near.close('The test is over');
  expect(await near.closed).toBe('The test is over');
});

test('one who pings and does not read is not answered without end', async () => {
  const [near] = await connectPair(noIdle, { ...noIdle, served: () => [servePing] });
  const end = vi.fn();
  const limits = { maxMessageBytes: 32, priority: 'vote', framing: { fixed: 32 } } as const;
  const stream = near.open(['/ipfs/ping/1.0.0'], limits, { message: () => undefined, end });
  for (let count = 0; count < 300; count++) stream.send(random(32));
  await vi.waitFor(() => expect(end).toHaveBeenCalledWith('reset'));
});
