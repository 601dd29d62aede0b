import { expect, test, vi } from 'vitest';
import { createPresence } from './presence.ts';
import type { Served } from './transport/connection.ts';
import { identify } from './transport/identify.ts';
import { baseOptions, connectPair, createClock, keyOf, random, settled } from './transport/pair.fixture.ts';
import { startPings } from './transport/ping.ts';

const sync: Served = {
  ...{ names: ['/abc/sync/2', '/old/sync/2'], maxMessageBytes: 10, priority: 'answer' },
  accept: () => ({ message: () => undefined, end: () => undefined }),
};

const unnamed = { addresses: () => [], name: () => undefined };

test('a node tells what it is and serves, and answers pings', async () => {
  const presence = createPresence({ ...baseOptions, nodeKey: keyOf(2), ...unnamed, served: () => [sync] });
  const [near] = await connectPair({}, { served: presence.served });
  expect(await identify(near)).toMatchObject({
    agent: expect.stringMatching(/^Tabnode\/v\d/),
    protocols: ['/abc/sync/2', '/old/sync/2', '/ipfs/ping/1.0.0', '/ipfs/id/1.0.0'],
  });
  await new Promise((resolve) => startPings(near, { ...baseOptions, onLatency: resolve }));
});

test('a connection whose other side does not answer ends', async () => {
  const clock = createClock();
  const presence = createPresence({ ...clock, random, nodeKey: keyOf(1), ...unnamed, served: () => [] });
  const silent = { names: ['/ipfs/ping/1.0.0'], framing: { fixed: 32 } } as const;
  const [near] = await connectPair(
    { idleMs: null },
    { served: () => [{ ...sync, ...silent }], idleMs: null },
  );
  presence.watch(near, () => undefined);
  await settled();
  clock.pass(20_000);
  await vi.waitFor(async () => expect(await near.closed).toMatch(/does not answer pings/));
});
