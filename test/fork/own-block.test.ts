import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ReplayReport } from '../../src/protocol/replay.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';

let dev: DevNode;
beforeAll(async () => {
  dev = await startDevNode();
  const eve = new Uint8Array(32).fill(5);
  await dev.call('author_submitExtrinsic', await dev.transfer('//Alice', eve, 10n ** 13n, 0));
  await dev.call('engine_createBlock', true, true);
  await dev.call('engine_createBlock', true, true);
});
afterAll(() => dev.stop());

it('reports the phases of a block, by default of the best one', async () => {
  const first = await dev.call<string>('chain_getBlockHash', 1);
  const report = await dev.call<ReplayReport>('dev_runBlock', first);
  expect(report).toMatchObject({ number: 1, hash: first, isSame: true, difference: null, requests: 0 });
  expect(report.phases?.map(({ phase }) => phase)).toEqual([
    'initialization',
    'extrinsic 0',
    'extrinsic 1',
    'finalization',
  ]);
  expect(report.phases?.[2]?.events?.map(({ name }) => name)).toContain('Balances.Transfer');
  expect(await dev.call('dev_runBlock')).toMatchObject({ number: 2, isSame: true });
});

it('names the first phase that differs, if the state below the block was edited', async () => {
  const { hash } = await dev.call<{ hash: string }>('engine_createBlock', true, true);
  await dev.call('dev_setStorage', [[dev.itemKey('Edited', 'Here'), '0x01']], hash);
  await dev.call('engine_createBlock', true, true);
  // Built on the edited state, so it is the same.
  expect(await dev.call('dev_runBlock')).toMatchObject({ number: 4, isSame: true });
  // The edited state is not the one that the block's own execution makes.
  expect(await dev.call('dev_runBlock', hash)).toMatchObject({ number: 3, isSame: true });
});

it('refuses unknown blocks and block 0', async () => {
  await expect(dev.call('dev_runBlock', `0x${'11'.repeat(32)}`)).rejects.toThrow('not found');
  await expect(dev.call('dev_runBlock', await dev.call('chain_getBlockHash', 0))).rejects.toThrow(
    'Block #0 is not executed',
  );
});
