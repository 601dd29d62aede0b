import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';

const length = 5;
let file = '';
let blocks: SignedBlockJson[] = [];
let dev: DevNode;

beforeAll(async () => {
  const source = await startDevNode();
  await source.call('dev_newBlock', { count: length });
  file = await source.call<string>('dev_exportChain', 'json');
  for (let number = 1; number <= length; number++) {
    const hash = await source.node.parts.chain.loadHashAt(number);
    const block = hash === null ? null : await source.node.parts.chain.loadBlock(hash);
    if (block === null) throw new Error(`block #${number} is missing`);
    blocks = [...blocks, signedBlockToJson(block)];
  }
  await source.stop();
});
afterEach(() => dev.stop());

const importByControl = async (): Promise<void> => {
  for (const block of blocks) await dev.node.importBlock(block);
};
const importByRpc = async (): Promise<void> => {
  await dev.call('dev_importChain', file);
};

describe.each([
  ['the control', importByControl],
  ['dev_importChain', importByRpc],
] as const)('blocks received by %s, with instant finality', (_, importAll) => {
  it('are best but not finalized', async () => {
    dev = await startDevNode();
    await importAll();
    expect([dev.best().number, dev.finalized().number]).toEqual([length, 0]);
  });

  it('are finalized with one of our own blocks on top', async () => {
    dev = await startDevNode();
    await importAll();
    await dev.call('dev_newBlock');
    expect([dev.best().number, dev.finalized().number]).toEqual([length + 1, length + 1]);
  });

  it('are finalized by the operator', async () => {
    dev = await startDevNode();
    await importAll();
    const { hash } = dev.best();
    expect(await dev.call('engine_finalizeBlock', hash)).toBe(true);
    expect(dev.finalized()).toMatchObject({ hash, number: length });
  });
});
