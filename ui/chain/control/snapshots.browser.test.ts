import { expect, it, vi } from 'vitest';
import { mountIn, openContext, press } from '../../testing/open-page.ts';
import Snapshots from './Snapshots.svelte';

it('a snapshot without a name is named after its block', async () => {
  const { context } = openContext(() => new Promise(() => undefined));
  const keepSnapshot = vi.fn(async () => null);
  const control = { now: { fault: null, snapshots: [] }, read: async () => undefined };
  const props = { chainActions: { actions: { busy: null }, keepSnapshot }, control };
  const page = mountIn(context, Snapshots, props as never);
  expect(page.querySelector('input')?.placeholder).toBe(`#${context.chain.best?.number ?? 0}`);
  press(page, 'Save snapshot');
  await vi.waitFor(() => expect(keepSnapshot.mock.calls).toEqual([[`#${context.chain.best?.number ?? 0}`]]));
});
