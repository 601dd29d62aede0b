import { expect, it } from 'vitest';
import { openIdbNodeStore } from '../../../worker/db/node-store-idb.ts';
import { mountIn, openContext, press, settle, withStatus } from '../../testing/open-page.ts';
import StorageUse from './StorageUse.svelte';

it('the disk tells what this node stores where it can, what all chains store, and what was changed by hand', async () => {
  const { context } = openContext(() => ({ storedBytes: 5 }));
  const open = async (state: object) => {
    const status = async () => state as never;
    const page = mountIn(withStatus(context, status), StorageUse, {});
    const rows = () =>
      Object.fromEntries(
        [...page.querySelectorAll('dt')].map((one) => [one.textContent, one.nextElementSibling?.textContent]),
      );
    await expect.poll(() => Object.keys(rows()).length).toBeGreaterThan(0);
    return { page, rows };
  };
  const { rows: own } = await open({ storage: 'memory', modified: false, ignoredSpecFields: [] });
  expect(own()).toMatchObject({ 'storage backend': 'memory', 'this node': '5 B', modified: 'no' });
  const now: Record<string, unknown> = { storage: 'indexeddb', modified: false, ignoredSpecFields: [] };
  const { page, rows } = await open(now);
  expect(rows()).toMatchObject({
    'storage backend': 'IndexedDB of this browser',
    'all chains': expect.stringMatching(/^[\d.\u202f]+ [kMG]?B$/),
    'browser quota': expect.stringMatching(/B$/),
    eviction: 'allowed',
  });
  expect(rows()).not.toHaveProperty('this node');
  now['modified'] = true;
  press(page, 'Refresh');
  await expect.poll(() => rows()['modified']).toBe('yes, state or head edited');
  now['mockSignatures'] = true;
  press(page, 'Refresh');
  await settle();
  await expect.poll(() => rows()['modified']).toBe('yes, mock signatures are accepted');
  expect(rows()).not.toHaveProperty('spec fields without effect');
  now['ignoredSpecFields'] = ['badBlock', 'forkBlock'];
  press(page, 'Refresh');
  await expect.poll(() => rows()['spec fields without effect']).toBe('badBlock, forkBlock');
  expect(page.querySelector('[aria-label="Databases of this page"] li')).not.toBeNull();
});

it('the disk tells what forks have read, and deletes it', async () => {
  const engine = await openIdbNodeStore();
  const key = new Uint8Array(32).fill(1);
  await engine.write({ puts: [{ key, value: new Uint8Array(2000), replaces: false }], used: [], usedAt: 1 });
  await engine.close();
  const { context } = openContext(() => ({ storedBytes: 5 }));
  const status = async () => ({ storage: 'memory', modified: false, ignoredSpecFields: [] }) as never;
  const page = mountIn(withStatus(context, status), StorageUse, {});
  const list = () => page.querySelector('[aria-label="Databases of this page"]')?.textContent ?? '';
  await expect.poll(list).toMatch(/tabnode-nodes version 1, [\d.]+.*B that forks have read/);
  press(page, 'Delete what forks have read');
  await expect.poll(list).not.toContain('tabnode-nodes');
});
