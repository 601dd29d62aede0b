import { expect, it } from 'vitest';
import { encodeCall } from '../../../src/scale/extrinsic.ts';
import { createMetaLoader } from '../../../src/scale/load.ts';
import { liveChain, openForkOf } from '../../../test/fork/fork-rig.ts';
import { signTransaction } from '../../agents/tools/transactions.ts';
import { devAccounts } from '../accounts.ts';
import { toUiNode } from '../client/tab-node.ts';
import { createHeldKeys } from './held-keys.ts';
import { loadFacts, signCall } from './signing.ts';

const baseNumber = 5;
const alice = { name: 'Alice', id: devAccounts[0]?.id ?? '', suri: '//Alice' };

/** It has other blocks of the numbers that the fork's own have. */
const live = liveChain(baseNumber + 10);

/** What the devtools and the tools of agents sign, each with Alice's key. */
const ways = ['devtools', 'agents'] as const;

const open = async () => {
  const { node, call, ask } = await openForkOf(live().node, { block: `${baseNumber}` });
  const request = (method: string, params: readonly unknown[]) => call(method, ...params);
  const status = () => call('dev_status');
  const own = toUiNode({ info: node.info(), status } as never, { request } as never, {
    isFresh: true,
    isElsewhere: false,
    end: async () => undefined,
  });
  const sign = async (way: (typeof ways)[number]): Promise<string> => {
    const meta = await createMetaLoader({ request }).at(null);
    const bytes = encodeCall(meta, 'System', 'remark', { remark: '0x01' });
    const { id, name, suri } = alice;
    if (way === 'agents') {
      const context = { request } as unknown as Parameters<typeof signTransaction>[0];
      return signTransaction(context, meta, bytes, { address: live().pair(suri).address, path: suri });
    }
    const options = { nonce: null, tip: 0n, period: 64 };
    const facts = await loadFacts(own, live().pair(suri).address, null);
    return signCall(meta, bytes, { kind: 'key', id, name, suri, keys: createHeldKeys() }, facts, options);
  };
  return { sign, call, ask, close: () => node.close() };
};

it.each(ways)('on a fork with blocks of its own, %s sign what the live chain refuses', async (way) => {
  const fork = await open();
  for (let block = 1; block <= 3; block++) {
    await fork.call('engine_createBlock', true, true);
    const extrinsic = await fork.sign(way);
    await expect(live().call('author_submitExtrinsic', extrinsic)).rejects.toMatchObject({
      data: expect.stringMatching(/bad signature/),
    });
    await fork.call('author_submitExtrinsic', extrinsic);
    await fork.call('engine_createBlock', true, true);
    expect(await fork.call('author_pendingExtrinsics')).toEqual([]);
  }
  await fork.close();
});

it.each(ways)(
  'on a fork that was rebased by someone else, %s sign what the live chain refuses',
  async (way) => {
    const fork = await open();
    await fork.call('dev_fork', { rebase: baseNumber + 5 });
    await fork.call('engine_createBlock', true, true);
    const extrinsic = await fork.sign(way);
    await expect(live().call('author_submitExtrinsic', extrinsic)).rejects.toMatchObject({
      data: expect.stringMatching(/bad signature/),
    });
    await fork.call('author_submitExtrinsic', extrinsic);
    await fork.close();
  },
);

it.each(ways)('at the base of a fork, whose blocks both chains have, %s sign for 64 blocks', async (way) => {
  const fork = await open();
  const extrinsic = await fork.sign(way);
  await fork.call('author_submitExtrinsic', extrinsic);
  const { ready } = await fork.call<{ ready: readonly unknown[] }>('dev_pool');
  expect(ready).toMatchObject([{ extrinsic, validTill: `${baseNumber + 63}`, validOnLiveChain: true }]);
  await fork.close();
});
