import { afterEach, expect, it } from 'vitest';
import type { SignedBlockJson } from '../../src/protocol/node.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';

const nodes: DevNode[] = [];
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
});
const start = async (): Promise<DevNode> => {
  const node = await startDevNode({ changes: { finality: { kind: 'manual' } } });
  nodes.push(node);
  return node;
};

it('a chain that jumped to 2099 can be moved as a file, which has its time, but not as blocks alone', async () => {
  const source = await start();
  await source.call('dev_newBlock', { count: 2 });
  await source.call('dev_timeTravel', Date.UTC(2099, 0));
  await source.call('dev_newBlock', { count: 2 });
  const [json, binary] = [
    await source.call<string>('dev_exportChain', 'json'),
    await source.call<string>('dev_exportChain', 'binary'),
  ];
  const other = await start();
  await other.call('dev_importChain', json);
  expect(other.best().hash).toBe(source.best().hash);
  const strange = await start();
  await expect(strange.call('dev_importChain', binary)).rejects.toThrow(
    /has slot .* \(2099-01-01T00:00:00.000Z\)/,
  );
  expect(strange.best().number).toBe(2);
  const hash = await source.call('chain_getBlockHash', 3);
  const third = await source.call<SignedBlockJson>('chain_getBlock', hash);
  await expect(strange.node.importBlock(third)).rejects.toMatchObject({ code: 'FutureBlock' });
  // The operator moves the clock.
  await strange.call('dev_timeTravel', Date.UTC(2099, 0, 2));
  await strange.call('dev_importChain', binary);
  expect(strange.best().hash).toBe(source.best().hash);
});
