import { expect, it } from 'vitest';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';

const names = ['engine_createBlock', 'engine_finalizeBlock'];

it.each([
  ['polkadot-sdk', 'slots', false],
  ['polkadot-sdk', 'manual', true],
  ['polkadot-sdk', 'interval', true],
  ['psp-6', 'slots', true],
] as const)('%s: engine_* exists under seal mode %s: %s', async (dialect, kind, isThere) => {
  const seal = kind === 'interval' ? { kind, ms: 60_000 } : { kind };
  const node = await createNode(createTestPlatform(), testConfig('development', { seal, dialect }));
  const { call, ask } = connectRpc(node, { dialect });
  const { methods } = (await call('rpc_methods')) as { methods: string[] };
  expect(methods.filter((name) => name.startsWith('engine_'))).toEqual(isThere ? names : []);
  const created = await ask('engine_createBlock', true, false);
  const finalized = await ask('engine_finalizeBlock', node.parts.chain.best().hash);
  const absent = { error: { code: -32601, message: 'Method not found' } };
  expect([created, finalized]).toMatchObject(isThere ? [{ result: {} }, { result: true }] : [absent, absent]);
  await node.close();
});

it.each(['archive', 'archive-canonical'] as const)(
  'blocks of abandoned forks under %s',
  async (blocksPruning) => {
    const platform = createTestPlatform({ db: { ...createMemoryDatabase(), close: async () => undefined } });
    const settings = {
      seal: { kind: 'manual' },
      finality: { kind: 'manual' },
      blocksPruning,
    } as const;
    const open = () => createNode(platform, testConfig('development', settings));
    const first = await open();
    const { call, ask } = connectRpc(first);
    const seal = async (parent: string | null, finalize = false) =>
      (await call<{ hash: string }>('engine_createBlock', true, finalize, parent)).hash;
    const root = await seal(null);
    const lost = await seal(root);
    await seal(await seal(root), true);
    const refusal = async (parent: string) =>
      (await ask('engine_createBlock', true, false, parent)).error?.message;
    expect(await refusal(root)).toMatch(
      /^Consensus Error: Import failed: Parent block of 0x\w{4}…\w{4} has no associated/,
    );
    expect(await refusal(first.parts.chain.genesisHash)).toContain(
      'failed: Potential long-range attack: block not in',
    );
    await first.close();
    const again = await open();
    const block = await connectRpc(again).call<{ block: object } | null>('chain_getBlock', lost);
    expect(block === null).toBe(blocksPruning === 'archive-canonical');
    await again.close();
  },
);
