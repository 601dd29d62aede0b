import { expect, test } from 'vitest';
import { serveRequests } from './requests.ts';
import { connectPair, createClock, settled } from './transport/pair.fixture.ts';

test('a stream for a request that never comes ends after 20 seconds, one with a slow response does not', async () => {
  const { schedule, pass } = createClock();
  const slow = Promise.withResolvers<Uint8Array>();
  const served = serveRequests(['/echo/1'], () => slow.promise, { schedule });
  const [near] = await connectPair({ idleMs: null }, { served: () => [served], idleMs: null });
  const ends: string[] = [];
  const events = { message: () => undefined, end: (reason: string) => void ends.push(reason) };
  const limits = { maxMessageBytes: 10, priority: 'announce' } as const;
  const stream = near.open(['/echo/1'], limits, events);
  const response = near.request(['/echo/1'], Uint8Array.of(1), { maxBytes: 10, timeoutMs: 30_000 });
  await expect.poll(() => stream.protocol).toBe('/echo/1');
  await settled();
  pass(19_999);
  await settled();
  expect(ends).toEqual([]);
  pass(1);
  await expect.poll(() => ends).toEqual(['reset']);
  slow.resolve(Uint8Array.of(2));
  expect(await response).toEqual(Uint8Array.of(2));
  near.close('The test is over');
});
