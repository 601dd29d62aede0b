import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { beforeAll, expect, it } from 'vitest';
import { createNode } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

beforeAll(async () => void (await cryptoWaitReady()));

it('a mortal transaction born in the best, finalized block can be tried', async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  const { api, close } = await openApi(node);
  for (let i = 0; i < 3; i++) await api.rpc.engine.createBlock(true, false);
  const remark = api.tx['system']?.['remark'];
  if (remark === undefined) throw new Error('no remark call');
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const signed = await remark('0x01').signAsync(alice);
  expect(signed.era.isMortalEra).toBe(true);
  const tried = await api.rpc.system.dryRun(signed.toHex());
  expect(tried.toHex()).toBe('0x0000');
  const early = await remark('0x01').signAsync(alice, { nonce: 9 });
  expect((await api.rpc.system.dryRun(early.toHex())).toHex()).toBe('0x010002');
  await close();
  await node.close();
});

it("a transaction that signed the hash of another fork at the best block's height is refused", async () => {
  const node = await createNode(
    createTestPlatform(),
    testConfig('development', { finality: { kind: 'manual' } }),
  );
  const { api, close } = await openApi(node);
  const trunk = (await api.rpc.engine.createBlock(true, false)).blockHash;
  const fork = (await api.rpc.engine.createBlock(true, false)).blockHash;
  await node.parts.dev.setHead(trunk.toHex() as never, true);
  await api.rpc.engine.createBlock(true, false);
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const header = await api.rpc.chain.getHeader(fork);
  const era = api.registry.createType('ExtrinsicEra', { current: header.number.toNumber(), period: 64 });
  const signed = await api.tx['system']?.['remark']?.('0x01').signAsync(alice, {
    blockHash: fork,
    era,
    nonce: 0,
  });
  // The next block sees another hash at that height, so the signature is invalid.
  expect((await api.rpc.system.dryRun(signed?.toHex() ?? '0x')).toHex()).toBe('0x010004');
  await close();
  await node.close();
});
