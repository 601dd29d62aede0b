import { expect, it } from 'vitest';
import { createNode } from '../worker/node.ts';
import { createTestPlatform, testConfig } from './platform.ts';
import { connectRpc } from './rpc.ts';

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
