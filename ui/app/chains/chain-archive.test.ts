import { afterEach, expect, it } from 'vitest';
import { type DevNode, startDevNode } from '../../../test/rigs/dev-node.ts';
import type { UiNode } from '../../node/client/ui-node.ts';
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

const unwatched = () => ({ onProgress: () => undefined, signal: new AbortController().signal });

it.each([0, 1, 64, 150])(
  'exports a chain of %i blocks page by page and imports it with its snapshots',
  async (blocks) => {
    const from = await start(['//Alice']);
    if (blocks > 0) await from.dev.call('dev_newBlock', { count: blocks });
    await from.dev.call('dev_snapshot', 'end');
    const text = await exportLines(from.node, unwatched());
    expect(from.asked.filter((method) => method === 'dev_exportChain')).toHaveLength(
      Math.max(1, Math.ceil(blocks / 64)),
    );
    const lines = text.split('\n').filter((line) => line !== '');
    expect(lines).toHaveLength(blocks + 1);
    const to = await start([]);
    await importBlocks(to.node, lines, unwatched());
    expect(to.dev.best().hash).toBe(from.dev.best().hash);
    expect(await to.dev.call('dev_listSnapshots')).toMatchObject([{ name: 'end', number: blocks }]);
  },
);

/** A chain of 150 blocks and its export; the request is handed to `before`. */
const exported = async (before: (asked: number, dev: DevNode) => Promise<void> = async () => undefined) => {
  const { dev, asked, node } = await start(['//Alice']);
  await dev.call('dev_newBlock', { count: 150 });
  const request = async (method: string, params: readonly unknown[]) => {
    if (method === 'dev_exportChain') await before(asked.length, dev);
    return node.request(method as 'chain_getHeader', params as []);
  };
  return exportLines({ ...node, request } as unknown as UiNode, unwatched());
};

it('stops between two requests, and says how far it has come', async () => {
  const lines = (await exported()).trim().split('\n');
  const to = await start([]);
  const stopping = new AbortController();
  const seen: string[] = [];
  const onProgress = (done: number, all: number) => {
    seen.push(`${done} of ${all}`);
    if (done >= 50) stopping.abort();
  };
  const { signal } = stopping;
  await expect(importBlocks(to.node, lines, { onProgress, signal })).rejects.toThrow('aborted');
  expect(seen).toEqual(['25 of 150', '50 of 150']);
  expect(to.dev.best().number).toBe(50);
  await expect(exportLines(to.node, { onProgress, signal })).rejects.toThrow('aborted');
});

it('names the line of the file that is not a block', async () => {
  const lines = (await exported()).trim().split('\n');
  const cut = lines.with(60, '{"block":{"hea');
  const to = await start([]);
  // The first line of an exported chain is not among them.
  await expect(importBlocks(to.node, cut, unwatched(), 1)).rejects.toThrow('Line 62 is not JSON');
  expect(to.dev.best().number).toBe(50);
});

it('exports no mixture of two chains', async () => {
  const moved = exported(async (asked, dev) => {
    if (asked === 3) await dev.call('dev_setHead', 20);
  });
  await expect(moved).rejects.toThrow('The best chain changed during the export');
});
