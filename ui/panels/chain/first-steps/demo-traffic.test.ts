import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { createMetaLoader } from '../../../../src/scale/load.ts';
import { openApi } from '../../../../test/rigs/api.ts';
import { createTestPlatform, testConfig } from '../../../../test/rigs/platform.ts';
import { createNode, type Node } from '../../../../worker/node.ts';
import type { PageContext } from '../../../node/page-context.ts';
import { createHeldKeys } from '../../../node/tx/held-keys.ts';
import { DemoTraffic, type Pause } from './demo-traffic.svelte.ts';

type Send = (method: string, params: readonly unknown[]) => Promise<unknown>;

let node: Node;
let opened: Awaited<ReturnType<typeof openApi>>;
let send: Send;
beforeAll(async () => {
  node = await createNode(createTestPlatform(), testConfig('development'));
  opened = await openApi(node);
  ({ send } = (opened.api as unknown as { _rpcCore: { provider: { send: Send } } })._rpcCore.provider);
});
afterAll(async () => {
  await opened.close();
  await node.close();
});

/**
 * Pauses controlled by the test: `turn` ends the current one and waits for the next. They ignore the signal,
 * so that the test detects traffic that continues after a stop.
 */
const throttleFrame = () => {
  let arrived = Promise.withResolvers<void>();
  let due = Promise.withResolvers<void>();
  const pause: Pause = () => {
    due = Promise.withResolvers();
    arrived.resolve();
    return due.promise;
  };
  return {
    pause,
    first: () => arrived.promise,
    turn: () => {
      arrived = Promise.withResolvers();
      due.resolve();
      return arrived.promise;
    },
  };
};

const start = (change: (method: string, params: readonly unknown[]) => Promise<unknown> = send) => {
  let asked = 0;
  const request = (method: string, params: readonly unknown[]) => {
    asked += 1;
    return change(method, params);
  };
  const metadata = createMetaLoader({ request: send });
  const leaving = new AbortController();
  const time = throttleFrame();
  const around = {
    node: { request, info: { genesisHash: opened.api.genesisHash.toHex() }, base: () => null },
    metadata,
    keys: createHeldKeys(),
  } as unknown as Pick<PageContext, 'node' | 'metadata'>;
  const traffic = new DemoTraffic(around, leaving.signal, time.pause);
  onTestFinished(() => traffic.stop());
  return { traffic, time, asked: () => asked, leave: () => leaving.abort() };
};

const pending = async (): Promise<number> =>
  ((await send('author_pendingExtrinsics', [])) as readonly string[]).length;
const seal = () => send('engine_createBlock', [true, false]);
/** Number of transfers in the best block, according to its events. */
const transfers = async (): Promise<number> => {
  const events = (await opened.api.query['system']?.['events']?.()) as unknown as {
    event: { section: string; method: string };
  }[];
  return events.filter(({ event }) => `${event.section}.${event.method}` === 'balances.Transfer').length;
};

it('sends one transfer at a time, and none after it was stopped', async () => {
  const { traffic, time, asked } = start();
  await time.first();
  for (let sent = 1; sent <= 3; sent += 1) {
    expect([traffic.sent, await pending()]).toEqual([sent, 1]);
    await seal();
    expect(await transfers()).toBe(1);
    if (sent < 3) await time.turn();
  }
  const before = asked();
  traffic.stop();
  // If the loop had continued, it would read the pool before the block is sealed.
  void time.turn();
  await seal();
  expect(asked()).toBe(before);
  expect([traffic.sent, await pending(), await transfers(), traffic.ended]).toEqual([3, 0, 0, null]);
});

it('stops adding transfers while no block empties the pool', async () => {
  const { traffic, time } = start();
  await time.first();
  for (let turn = 0; turn < 5; turn += 1) await time.turn();
  expect([traffic.sent, await pending(), traffic.isFull]).toEqual([3, 3, true]);
  await seal();
  await time.turn();
  expect([traffic.sent, traffic.isFull]).toEqual([4, false]);
  traffic.stop();
  await seal();
});

it('reports why it ended: no funds, or an error of the node', async () => {
  const ended = async (change: Parameters<typeof start>[0]): Promise<string> => {
    const { traffic } = start(change);
    await expect.poll(() => traffic.ended).not.toBeNull();
    return traffic.ended ?? '';
  };
  expect(
    await ended(async (method, params) => (method === 'state_getStorage' ? null : send(method, params))),
  ).toBe('The development accounts have run out of funds.');
  const refuse: Send = async (method, params) => {
    if (method !== 'author_submitExtrinsic') return send(method, params);
    throw new Error('the pool is closed');
  };
  expect(await ended(refuse)).toBe('the pool is closed');
});

it('ends when the chain is closed: a transfer being signed is not sent', async () => {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const { traffic, time, leave } = start(async (method, params) => {
    if (method === 'system_accountNextIndex') {
      reached.resolve();
      await held.promise;
    }
    expect(method).not.toBe('author_submitExtrinsic');
    return send(method, params);
  });
  await reached.promise;
  leave();
  held.resolve();
  // The pause starts only after the transfer was signed and either sent or dropped.
  await time.first();
  await seal();
  expect([traffic.sent, await pending(), traffic.ended]).toEqual([0, 0, null]);
});
