import { describe, expect, it } from 'vitest';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { hasFixtures, loadFixtureText } from '../../test/rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import { connectRpc } from '../../test/rigs/rpc.ts';
import { createNode } from '../node.ts';

const names = ['beefy_getFinalizedHead', 'beefy_subscribeJustifications', 'beefy_unsubscribeJustifications'];

const open = async (chain: NodeConfig['chain']) => {
  const node = await createNode(createTestPlatform(), testConfig(chain, { keys: [] }));
  const { ask, call } = connectRpc(node);
  const { methods } = await call<{ methods: string[] }>('rpc_methods');
  return { node, ask, listed: methods.filter((name) => name.startsWith('beefy_')) };
};

describe('beefy_*', () => {
  it('does not exist if the runtime lacks BeefyApi', async () => {
    const { node, ask, listed } = await open('development');
    expect(listed).toEqual([]);
    for (const name of names.slice(0, 2)) expect((await ask(name)).error?.code).toBe(-32601);
    await node.close();
  });

  it.skipIf(!hasFixtures)(
    'responds like a native node without a running voter, on a runtime with BeefyApi',
    async () => {
      const { node, ask, listed } = await open({
        specJson: await loadFixtureText('chains/westend-dev-raw.json'),
      });
      expect(listed).toEqual(names);
      expect(await ask('beefy_getFinalizedHead')).toEqual({
        error: { code: 1, message: 'BEEFY RPC endpoint not ready' },
      });
      const { result: id } = await ask('beefy_subscribeJustifications');
      expect(id).toEqual(expect.stringMatching(/^\w{16}$/));
      expect(await ask('beefy_unsubscribeJustifications', id)).toEqual({ result: true });
      expect(await ask('beefy_unsubscribeJustifications', id)).toEqual({ result: false });
      await node.close();
    },
  );
});
