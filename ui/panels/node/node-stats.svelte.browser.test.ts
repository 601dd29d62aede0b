import { expect, it, onTestFinished, vi } from 'vitest';
import { SharedStatus } from '../../node/node-status.svelte.ts';
import { openContext } from '../../testing/open-page.ts';
import { NodeStats } from './node-stats.svelte.ts';

const modes = { seal: { kind: 'manual' }, finality: { kind: 'manual' }, edited: [] };

/** The statistics of a node with one ready transaction, which are shown. */
const openStats = async (context: ReturnType<typeof openContext>['context']): Promise<NodeStats> => {
  const node = context.node.with({ status: async () => ({ ready: 1, future: 0, ...modes }) as never });
  const status = new SharedStatus(node);
  await status.read();
  const stats = new NodeStats({ ...context, node, status });
  const end = $effect.root(() => {
    $effect(() => void stats.samples);
  });
  onTestFinished(end);
  return stats;
};

it('memory is measured from the first instance on', async () => {
  const pages = [0, 2, 0];
  const { context } = openContext((method) =>
    method === 'dev_stats' ? { wasm: { pages: pages.shift() ?? 0 }, storedBytes: 5, blocks: [] } : null,
  );
  const stats = await openStats(context);
  await vi.waitFor(() => expect(stats.samples.length).toBe(3), { timeout: 5000 });
  expect(stats.samples.map(({ memoryMb }) => memoryMb)).toEqual([null, 0.131072, 0]);
});

it('a rate is measured from the second sample on', async () => {
  const { context } = openContext(() => ({ wasm: { pages: 2 }, storedBytes: 5, blocks: [] }));
  const stats = await openStats(context);
  await vi.waitFor(() => expect(stats.samples.length).toBe(2), { timeout: 5000 });
  expect(stats.samples).toMatchObject([
    { rate: null, memoryMb: 0.131072, ready: 1 },
    { rate: expect.any(Number) },
  ]);
});
