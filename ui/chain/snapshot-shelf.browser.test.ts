import { expect, it, vi } from 'vitest';
import { mountIn, openBench, press } from '../testing/open-page.ts';
import SnapshotShelf from './SnapshotShelf.svelte';

it('a snapshot without a name is named after its block', async () => {
  const { bench } = openBench(() => new Promise(() => undefined));
  const keepSnapshot = vi.fn(async () => null);
  const control = { now: { fault: null, snapshots: [] }, read: async () => undefined };
  const props = { deeds: { actions: { busy: null }, keepSnapshot }, control };
  const page = mountIn(bench, SnapshotShelf, props as never);
  expect(page.querySelector('input')?.placeholder).toBe(`#${bench.chain.best?.number ?? 0}`);
  press(page, 'Save snapshot');
  await vi.waitFor(() => expect(keepSnapshot.mock.calls).toEqual([[`#${bench.chain.best?.number ?? 0}`]]));
});
