import { afterEach, expect, it } from 'vitest';
import { type DevNode, startDevNode } from '../../test/dev-node.ts';
import type { UiNode } from '../client/ui-node.ts';
import { exportLines, importBlocks } from './chain-archive.ts';

const nodes: DevNode[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
});
const start = async (keys: readonly string[]) => {
  const dev = await startDevNode({ changes: { keys } });
  nodes.push(dev);
  const asked: string[] = [];
  const request = (method: string, params: readonly unknown[]) => {
    asked.push(method);
    return dev.call(method, ...params);
  };
  return { dev, asked, node: { request } as unknown as UiNode };
};

it.each([0, 1, 64, 150])(
  'exports a chain of %i blocks page by page and imports it with its snapshots',
  async (blocks) => {
    const from = await start(['//Alice']);
    if (blocks > 0) await from.dev.call('dev_newBlock', { count: blocks });
    await from.dev.call('dev_snapshot', 'end');
    const text = await exportLines(from.node);
    expect(from.asked.filter((method) => method === 'dev_exportChain')).toHaveLength(
      Math.max(1, Math.ceil(blocks / 64)),
    );
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines).toHaveLength(blocks + 1);
    const to = await start([]);
    await importBlocks(to.node, lines, () => undefined);
    expect(to.dev.best().hash).toBe(from.dev.best().hash);
    expect(await to.dev.call('dev_listSnapshots')).toMatchObject([{ name: 'end', number: blocks }]);
  },
);
