import { afterAll, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createExecutor } from '../../worker/executor/executor.ts';
import { type LiveView, openLiveView } from '../../worker/fork/live-view.ts';
import { type Replay, replayBlock } from '../../worker/fork/replay.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { type FixtureBlock, fixtureToJson } from '../chain/fixture-block.ts';
import { openRecordedChain } from '../chain/recorded-chain.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { hasFixtures, loadFixtureJson, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { originOf } from './chain-origin.ts';

const crypto = await loadCrypto();
const errors: unknown[] = [];
const openLive = (node: Node): Promise<LiveView> =>
  openLiveView({
    crypto,
    executor: createExecutor({ crypto }),
    origin: originOf(node),
    onError: (error) => void errors.push(error),
  });

const options = { withChanges: false, nowMs: () => performance.now() };
const hashOf = async (node: Node, number: number): Promise<BlockHash> =>
  (await node.parts.chain.loadHashAt(number)) as BlockHash;

/** Replays the blocks over one store, as `tabnode follow` does, and returns the numbers of those that differ. */
const differing = async (node: Node, from: number, to: number, live: LiveView): Promise<number[]> => {
  const numbers: number[] = [];
  for (let number = from; number <= to; number++)
    if (!(await replayBlock(live, await hashOf(node, number), options)).isSame) numbers.push(number);
  return numbers;
};

describe('replay of blocks on proven nodes alone', () => {
  let dev: DevNode;
  afterAll(() => dev?.stop());

  it('of the default runtime: transfers to new accounts, a removed account, an empty block', async () => {
    dev = await startDevNode();
    const eve = new Uint8Array(32).fill(5);
    await dev.call('author_submitExtrinsic', await dev.transfer('//Alice', eve, 10n ** 13n, 0));
    await dev.call('engine_createBlock', true, true);
    await dev.call('author_submitExtrinsic', await dev.transfer('//Bob', eve, 10n ** 12n, 0));
    await dev.call('engine_createBlock', true, true);
    await dev.call('engine_createBlock', true, true);
    const live = await openLive(dev.node);
    expect(await differing(dev.node, 1, 3, live)).toEqual([]);
    // Each block alone, over an empty store.
    for (const number of [3, 2, 1])
      expect(await differing(dev.node, number, number, await openLive(dev.node))).toEqual([]);
  });

  it('takes a few proofs for the first block, and fewer for those that follow', async () => {
    const live = await openLive(dev.node);
    await replayBlock(live, await hashOf(dev.node, 1), options);
    const first = live.nodes.counts().rounds;
    await replayBlock(live, await hashOf(dev.node, 2), options);
    const second = live.nodes.counts().rounds - first;
    expect([first, second]).toEqual([4, 1]);
  });

  it('names the phase of an altered extrinsic and of an altered digest', async () => {
    const hash = await hashOf(dev.node, 1);
    const altered = async (change: (live: LiveView) => LiveView): Promise<Replay> =>
      replayBlock(change(await openLive(dev.node)), hash, options);
    const extrinsic = await altered((live) => ({
      ...live,
      loadBlock: async (at) => {
        const block = await live.loadBlock(at);
        const extrinsics = block.extrinsics.map((bytes) => bytes.slice());
        const last = extrinsics.at(-1) as Uint8Array;
        last[last.length - 1] = (last[last.length - 1] as number) ^ 1;
        return { ...block, extrinsics };
      },
    }));
    expect(extrinsic.isSame).toBe(false);
    expect(extrinsic.fault).toMatchObject({ phase: 1, why: { kind: 'refused' } });
    const digest = await altered((live) => ({
      ...live,
      loadBlock: async (at) => {
        const { header, extrinsics } = await live.loadBlock(at);
        const digest = [...header.digest.slice(0, 1), Uint8Array.of(0, 4, 1)];
        return { header: { ...header, digest }, extrinsics };
      },
    }));
    expect(digest.fault).toMatchObject({ phase: 'finalization', why: { kind: 'header' } });
  });
});

describe.skipIf(!hasFixtures)('replay of real chains', () => {
  it('Westend 1 to 128', async () => {
    const node = await createNode(
      createTestPlatform(),
      testConfig(
        { specJson: await loadFixtureText('chains/westend-raw.json') },
        { finality: { kind: 'manual' } },
      ),
    );
    for (const block of await loadFixtureJson<FixtureBlock[]>('blocks/westend-1-128.json'))
      await node.importBlock(fixtureToJson(block));
    expect(await differing(node, 1, 128, await openLive(node))).toEqual([]);
    await node.close();
  });

  it('the blocks of a native node', async () => {
    const node = await openRecordedChain();
    const { number } = node.parts.chain.best();
    expect(number).toBe(63);
    expect(await differing(node, 1, number, await openLive(node))).toEqual([]);
    await node.close();
  });
});

it('reports no internal error', () => {
  expect(
    errors.map((error) => (error instanceof Error ? error.message : bytesToHex(new Uint8Array()))),
  ).toEqual([]);
});
