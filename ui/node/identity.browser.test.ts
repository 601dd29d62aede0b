import { expect, it } from 'vitest';
import { mountIn, openContext, settle } from '../testing/open-page.ts';
import Identity from './Identity.svelte';

it('the node says how many peers it has, and tells its own size from that of all chains', async () => {
  const { context } = openContext((method) =>
    method === 'system_health' ? { peers: 3, isSyncing: false, shouldHavePeers: true } : '1.0',
  );
  for (const [storage, stored] of [
    ['memory', /stored\s*memory, 5 B\s*$/],
    ['indexeddb', /stored\s*IndexedDB of this browser, 5 B for all chains\s*$/],
  ] as const) {
    const status = async () => ({ specName: 'tabnode', specVersion: 101, storage }) as never;
    const page = mountIn({ ...context, node: context.node.with({ status }) }, Identity, { storedBytes: 5 });
    await settle();
    expect(page.textContent).toMatch(/peers\s*3/);
    expect(page.textContent).toMatch(stored);
  }
});
