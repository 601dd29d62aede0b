import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { describe, expect, it } from 'vitest';
import type { ChainSource } from '../../src/protocol/node.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { signedBlockToJson } from '../../worker/codec/signed-block.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, loadNextRuntime, testConfig } from '../rigs/platform.ts';

const blocks = 50;
const keys = ['//Alice', '//Bob'];

const seal = async (node: Node) => {
  const result = await node.parts.author.seal({ createEmpty: true, finalize: false });
  if (!result.ok) throw new Error(result.message);
  return result;
};

/** Seals blocks with one transfer each between dev accounts. */
const makeBlocks = async (node: Node): Promise<void> => {
  await cryptoWaitReady();
  const { api, close } = await openApi(node);
  const keyring = new Keyring({ type: 'sr25519' });
  const [alice, bob] = [keyring.addFromUri('//Alice'), keyring.addFromUri('//Bob')];
  const transfer = api.tx['balances']?.['transferKeepAlive'] ?? api.tx['balances']?.['transfer'];
  if (transfer === undefined) throw new Error('no transfer call');
  for (let round = 0; round < blocks; round++) {
    const nonce = Math.floor(round / 2);
    const [from, to] = round % 2 === 0 ? [alice, bob] : [bob, alice];
    await transfer(to.address, 1_000_000_000_000n + BigInt(round))
      .signAsync(from, { nonce })
      .then((signed) => signed.send());
    let sealed = await seal(node);
    // The block that ends a session has no room for transactions, so they go into the next one.
    if (sealed.included === 0) sealed = await seal(node);
    expect(sealed.included).toBe(1);
    const events = (await (await api.at(sealed.hash)).query['system']?.['events']?.()) as unknown as {
      event: { section: string; method: string };
    }[];
    expect(events.some(({ event }) => event.section === 'balances' && event.method === 'Transfer')).toBe(
      true,
    );
  }
  await close();
};

/** A second, fresh node re-executes every block from its SCALE bytes. */
const replay = async (from: Node, chain: ChainSource): Promise<void> => {
  const second = await createNode(createTestPlatform(), testConfig(chain, { keys: [] }));
  for (let number = 1; number <= from.parts.chain.best().number; number++) {
    const hash = (await from.parts.chain.loadHashAt(number)) as BlockHash;
    const block = await from.parts.chain.loadBlock(hash);
    if (block === null) throw new Error(`no block ${number}`);
    expect(await second.importBlock(signedBlockToJson(block))).toEqual({ hash, number });
  }
  expect(second.parts.chain.best()).toMatchObject({ hash: from.parts.chain.best().hash });
  await second.close();
};

const walk = async (chain: ChainSource): Promise<void> => {
  const platform = createTestPlatform();
  const node = await createNode(platform, testConfig(chain, { keys, verifyOwnBlocks: true }));
  await makeBlocks(node);
  expect(node.parts.chain.best().number).toBeGreaterThanOrEqual(blocks);
  await replay(node, chain);
  expect(platform.errors).toEqual([]);
  await node.close();
};

describe('50 blocks with transfers, executed twice by their author and once by a second node', () => {
  it('default chain', () => walk('development'), 120_000);
  it.skipIf(!hasFixtures)(
    'westend-dev',
    async () => walk({ specJson: await loadFixtureText('chains/westend-dev-raw.json') }),
    120_000,
  );
  it.skipIf(!hasFixtures)(
    'node-template',
    async () => walk({ specJson: await loadFixtureText('chains/node-template-raw.json') }),
    120_000,
  );
});

describe('runtime upgrade through sudo', () => {
  it('the block after it is executed by the new runtime, and subscribers are notified', async () => {
    await cryptoWaitReady();
    const node = await createNode(createTestPlatform(), testConfig('development'));
    const { api, close } = await openApi(node);
    const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
    await seal(node);
    const before = node.parts.chain.best().hash;
    const version = async (hash: BlockHash) => (await node.parts.chain.runtimeAt(hash)).version.specVersion;
    const old = await version(before);
    const told: number[] = [];
    let wake: () => void = () => undefined;
    const upgraded = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const off = await api.rpc.state.subscribeRuntimeVersion((item) => {
      told.push(item.specVersion.toNumber());
      if (told.length > 1) wake();
    });
    const code = api.tx['system']?.['setCode']?.(bytesToHex(await loadNextRuntime()));
    if (code === undefined) throw new Error('no setCode');
    const call = api.tx['sudo']?.['sudoUncheckedWeight']?.(code, { refTime: 0, proofSize: 0 });
    await call?.signAndSend(alice, { nonce: 0 });
    expect((await seal(node)).included).toBe(1);
    await seal(node);
    await upgraded;
    off();
    expect(await version(node.parts.chain.best().hash)).toBeGreaterThan(old);
    expect(told).toEqual([old, await version(node.parts.chain.best().hash)]);
    await replay(node, 'development');
    await close();
    await node.close();
  }, 120_000);
});
