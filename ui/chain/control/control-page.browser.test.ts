import { expect, it, onTestFinished, vi } from 'vitest';
import { mountIn, openContext } from '../../testing/open-page.ts';
import { createChainActions } from '../chain-actions.svelte.ts';
import ControlPage from './ControlPage.svelte';

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
  await vi.waitFor(() => expect(context.methods.has('dev_snapshot')).toBe(true));
  const tree = { standing: () => null } as never;
  const chainActions = createChainActions(context.node, context.chain, tree, context.methods);
  const page = mountIn(context, ControlPage, { chainActions, slotMs: 6000, onclose: () => undefined });
  await vi.waitFor(() => expect(page.textContent).toContain('No snapshots'));
  snapshots = [{ name: 'theirs', hash: `0x${'06'.repeat(32)}`, number: 6, finalizedNumber: 6, takenMs: 0 }];
  vi.advanceTimersByTime(2000);
  await vi.waitFor(() => expect(page.textContent).toContain('theirs'));
});
