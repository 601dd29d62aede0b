import { expect, it, onTestFinished, vi } from 'vitest';
import { Sealing } from '../../../node/sealing.svelte.ts';
import { mountIn, openContext, settle } from '../../../testing/open-page.ts';
import { actionsOf } from '../chain-actions.fixture.ts';
import ControlPage from './ControlPage.svelte';

/** The page of the controls of this context. */
const openControl = async (context: ReturnType<typeof openContext>['context']) => {
  await vi.waitFor(() => expect(context.methods.has('dev_snapshot')).toBe(true));
  const chainActions = actionsOf(context);
  return mountIn(context, ControlPage, { chainActions, slotMs: 6000, onclose: () => undefined });
};

it('shows what another tab or program changes, also if no block follows', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  let snapshots: readonly object[] = [];
  const { context } = openContext((method) => {
    if (method === 'dev_listSnapshots') return snapshots;
    return method === 'rpc_methods' ? { methods: ['dev_snapshot', 'dev_listSnapshots'] } : null;
  });
  const status = async () => ({ seal: { kind: 'manual' }, finality: { kind: 'manual' }, edited: [] });
  Object.assign(context, { node: context.node.with({ status } as never) });
  const page = await openControl(context);
  await vi.waitFor(() => expect(page.textContent).toContain('No snapshots'));
  snapshots = [{ name: 'theirs', hash: `0x${'06'.repeat(32)}`, number: 6, finalizedNumber: 6, takenMs: 0 }];
  vi.advanceTimersByTime(2000);
  await vi.waitFor(() => expect(page.textContent).toContain('theirs'));
});

it('a status of before a choice of the seal mode does not hide what it changed, however late the rest is read', async () => {
  const snapshots = Promise.withResolvers<readonly object[]>();
  const { context } = openContext((method) => {
    if (method === 'dev_listSnapshots') return snapshots.promise;
    return method === 'rpc_methods' ? { methods: ['dev_snapshot', 'dev_listSnapshots'] } : null;
  });
  let now = { seal: { kind: 'slots' }, finality: { kind: 'grandpa' }, edited: [] };
  const node = context.node.with({ status: async () => now as never });
  const sealing = new Sealing(node);
  Object.assign(context, { node, sealing, status: sealing.status });
  await openControl(context);
  await vi.waitFor(() => expect(sealing.choice).toBe('slots'));
  now = { seal: { kind: 'manual' }, finality: { kind: 'instant' }, edited: [] };
  await sealing.choose('manual');
  snapshots.resolve([]);
  await settle();
  expect(sealing.news).toContain('Finality is instant now');
});
