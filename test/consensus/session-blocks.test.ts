import { Keyring } from '@polkadot/keyring';
import { afterEach, describe, expect, it } from 'vitest';
import type { ChainSource, NodeConfig } from '../../src/protocol/node.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { Reader } from '../../worker/bytes/reader.ts';
import { createNode } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, loadDefaultRuntime, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';

// pallet-session declares the block that ends a session full.

const hour = 3_600_000;

let dev: DevNode;
afterEach(() => dev.stop());
const start = async (chain: ChainSource, changes: Partial<NodeConfig> = {}): Promise<void> => {
  dev = await startDevNode({ chain, changes: { finality: { kind: 'manual' }, ...changes } });
};
const untilBest = (number: number): Promise<void> =>
  new Promise((resolve) => {
    const off = dev.node.parts.chain.onEvent((event) => {
      if (event.kind !== 'imported' || event.number < number) return;
      off();
      resolve();
    });
  });

/** Remarks by Alice, starting with nonce 0. */
const signRemarks = async (count: number): Promise<readonly string[]> => {
  const { api, close } = await openApi(dev.node);
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const remarks: string[] = [];
  for (let nonce = 0; nonce < count; nonce++) {
    const signed = await api.tx['system']?.['remark']?.('0x01').signAsync(alice, { nonce, era: 0 });
    remarks.push(signed?.toHex() ?? '');
  }
  await close();
  return remarks;
};

/**
 * Sends each transaction and seals a block after it; returns the numbers of the blocks that did not include
 * theirs.
 */
const sealEach = async (remarks: readonly string[]): Promise<readonly number[]> => {
  const without: number[] = [];
  for (const remark of remarks) {
    await dev.call('author_submitExtrinsic', remark);
    const { block } = await dev.call<{ block: { extrinsics: readonly string[] } }>(
      'chain_getBlock',
      await dev.call('dev_newBlock'),
    );
    if (!block.extrinsics.includes(remark)) without.push(dev.best().number);
  }
  return without;
};

const sessionIndex = async (): Promise<number> => {
  const bytes = await dev.read(dev.itemKey('Session', 'CurrentIndex'));
  return bytes === null ? 0 : new Reader(bytes).u32();
};

/** Slot duration and epoch length as seen by engines and native nodes (BabeApi_configuration). */
const babeConfiguration = async () => {
  const reader = new Reader(hexToBytes(await dev.call('state_call', 'BabeApi_configuration', '0x')));
  return { slotMs: Number(reader.u64()), epochSlots: Number(reader.u64()) };
};

/** The epoch length as seen by clients: a constant of the metadata. */
const constantSlots = async (): Promise<number> => {
  const { api, close } = await openApi(dev.node);
  const told = Number(String(api.consts['babe']?.['epochDuration']));
  await close();
  return told;
};

describe('development', () => {
  it('includes the transaction sent before in each of 300 blocks', async () => {
    await start('development');
    expect(await sealEach(await signRemarks(300))).toEqual([]);
  }, 240_000);

  it('has epochs of an hour or more, which BABE and clients see alike', async () => {
    await start('development');
    const { slotMs, epochSlots } = await babeConfiguration();
    expect(epochSlots * slotMs).toBeGreaterThanOrEqual(hour);
    expect(await constantSlots()).toBe(epochSlots);
  });

  it('includes transactions in the block that ends a session', async () => {
    await start('development');
    const remarks = await signRemarks(6);
    expect(await sealEach(remarks.slice(0, 2))).toEqual([]);
    for (let day = 1; day <= 2; day++) {
      const before = await sessionIndex();
      await dev.call('dev_timeTravel', (await dev.chainTime()) + 24 * hour);
      expect(await sealEach(remarks.slice(2 * day, 2 * day + 2))).toEqual([]);
      expect(await sessionIndex()).toBe(before + 1);
    }
  });
});

describe('local_testnet', () => {
  it('has epochs of 20 slots, and each block includes its transaction', async () => {
    await start('local_testnet');
    expect((await babeConfiguration()).epochSlots).toBe(20);
    expect(await constantSlots()).toBe(20);
    const before = await sessionIndex();
    expect(await sealEach(await signRemarks(45))).toEqual([]);
    expect(await sessionIndex()).toBeGreaterThanOrEqual(before + 2);
  }, 120_000);
});

describe.skipIf(!hasFixtures)('a chain of spec version 100, which fixed epochs at 20 slots', () => {
  it('seals twice for a transaction that a full block left out', async () => {
    const specJson = await loadFixtureText('sdk-node/spec.json');
    // Offchain workers would send their own transactions.
    await start({ specJson }, { seal: { kind: 'instant' }, offchainWorkers: 'never' });
    const [remark] = await signRemarks(1);
    await dev.call('dev_newBlock', { count: 20 });
    const twice = untilBest(22);
    await dev.call('author_submitExtrinsic', remark);
    await twice;
    const extrinsicsOf = async (number: number) => {
      const hash = await dev.call('chain_getBlockHash', number);
      return (await dev.call<{ block: { extrinsics: readonly string[] } }>('chain_getBlock', hash)).block
        .extrinsics;
    };
    expect(await extrinsicsOf(21)).not.toContain(remark);
    expect(await extrinsicsOf(22)).toContain(remark);
  });

  it('keeps them when it is upgraded', async () => {
    await start({ specJson: await loadFixtureText('sdk-node/spec.json') });
    await dev.call('dev_newBlock', { count: 15 });
    await dev.call('dev_setStorage', [['0x3a636f6465', bytesToHex(await loadDefaultRuntime())]]);
    await dev.call('dev_newBlock', { count: 30 });
    const { specVersion } = await dev.call<{ specVersion: number }>('state_getRuntimeVersion');
    expect(specVersion).toBeGreaterThan(100);
    expect((await babeConfiguration()).epochSlots).toBe(20);
    expect(await sealEach(await signRemarks(25))).toEqual([]);
  }, 120_000);

  it('is unchanged when reopened by a node with a newer runtime', async () => {
    const spec = JSON.parse(await loadFixtureText('sdk-node/spec.json')) as {
      genesis: { raw: { top: Record<string, string> } };
    };
    const code = hexToBytes(spec.genesis.raw.top['0x3a636f6465'] ?? '');
    const db = lastingDatabase();
    const older = { ...createTestPlatform({ db }), loadRuntime: async () => code };
    const before = await createNode(older, testConfig('development'));
    for (let block = 0; block < 15; block++) await sealOn(before);
    const best = before.parts.chain.best();
    await before.close();
    dev = await startDevNode({ db });
    expect(dev.best()).toEqual(best);
    expect(await babeConfiguration()).toEqual({ slotMs: 6000, epochSlots: 20 });
    await dev.call('dev_newBlock', { count: 10 });
    expect(dev.best().number).toBe(25);
  });
});
