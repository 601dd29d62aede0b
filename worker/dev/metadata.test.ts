import { expect, it, onTestFinished } from 'vitest';
import { startDevNode } from '../../test/rigs/dev-node.ts';
import { loadNextRuntime } from '../../test/rigs/platform.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { loadMeta } from './metadata.ts';

it('the metadata is read once for each runtime', async () => {
  const live = await startDevNode({ changes: { seal: { kind: 'manual' } } });
  onTestFinished(() => live.stop());
  const { chain } = live.node.parts;
  const load = () => loadMeta(chain, chain.best().hash);
  const first = await load();
  expect(await load()).toBe(first);
  await live.call('dev_newBlock');
  expect(await load()).toBe(first);
  await live.call('dev_setStorage', [
    [bytesToHex(new TextEncoder().encode(':code')), bytesToHex(await loadNextRuntime())],
  ]);
  const second = await load();
  expect(second).not.toBe(first);
  expect(await load()).toBe(second);
});
