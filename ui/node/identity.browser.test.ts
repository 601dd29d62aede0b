import { expect, it } from 'vitest';
import { mountIn, openContext, settle } from '../testing/open-page.ts';
import Identity from './Identity.svelte';

it('the node says how many peers it has', async () => {
  const { context } = openContext((method) =>
    method === 'system_health' ? { peers: 3, isSyncing: false, shouldHavePeers: true } : '1.0',
  );
  const status = async () => ({ specName: 'tabnode', specVersion: 101, storage: 'memory' }) as never;
  const page = mountIn({ ...context, node: context.node.with({ status }) }, Identity, { storedBytes: null });
  await settle();
  expect(page.textContent).toMatch(/peers\s*3/);
});
