import { expect, it } from 'vitest';
import { createClient } from '../../../src/client.ts';
import type { Connection } from '../../../src/index.ts';
import { openNode } from '../../testing/open-page.ts';
import { consoleConnection } from './console-connection.ts';
import { Traffic } from './traffic.svelte.ts';

it('calls and subscriptions of the console are in the log, and end when the console ends them', async () => {
  const { node, subscribers, ended } = openNode(() => '5');
  const traffic = new Traffic();
  const connection = { isOpen: () => true } as Connection;
  const rpc = createClient(consoleConnection(node, connection, () => traffic));
  expect(await rpc.system_name()).toBe('5');
  const heads: unknown[] = [];
  const stop = await rpc.chain_subscribeNewHeads({}, (head) => heads.push(head));
  subscribers.get('chain_subscribeNewHeads')?.(1);
  await stop();
  expect(heads).toEqual([1]);
  await expect.poll(() => ended).toEqual(['chain_unsubscribeNewHeads']);
  expect(traffic.exchanges.map(({ client, isOwn, method, state }) => [client, isOwn, method, state])).toEqual(
    [
      ['console', false, 'system_name', 'ok'],
      ['console', false, 'chain_subscribeNewHeads', 'closed'],
    ],
  );
});

it('an aborted subscription of the console is closed, and rejects', async () => {
  const { node, ended } = openNode(() => null);
  const connection = { isOpen: () => true } as Connection;
  const rpc = createClient(consoleConnection(node, connection, () => null));
  const opening = rpc.chain_subscribeNewHeads({}, () => undefined, { signal: AbortSignal.abort() });
  await expect(opening).rejects.toMatchObject({ code: 'Aborted' });
  await expect.poll(() => ended).toEqual(['chain_unsubscribeNewHeads']);
});
