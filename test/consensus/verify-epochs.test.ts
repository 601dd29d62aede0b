import { expect, it } from 'vitest';
import { hexToBytes } from '../../worker/bytes/hex.ts';
import { type Block, decodeExtrinsic } from '../../worker/codec/block.ts';
import { decodeHeader } from '../../worker/codec/header.ts';
import { headerNextEpoch, headerPreDigest } from '../../worker/consensus/babe/codec.ts';
import { createEpochs } from '../../worker/consensus/babe/epochs.ts';
import type { Runtime } from '../../worker/executor/executor.ts';
import { createNode, type Node } from '../../worker/node.ts';
import type { FixtureBlock } from '../chain/fixture-block.ts';
import { lastingDatabase } from '../rigs/dev-node.ts';
import { hasFixtures, loadFixtureJson, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { importFile, makeBlocks, openAt, startMs } from './verify-rig.ts';

const authors = { keys: ['//Alice', '//Bob'] };

const importAll = async (node: Node, blocks: readonly Block[]): Promise<void> => {
  for (const block of blocks)
    expect(await importFile(node, block)).toMatchObject({ ok: true, number: block.header.number });
};

/** Repeatedly seven blocks, then a few epochs without any. */
const makeSkipping = async (): Promise<Block[]> => {
  const source = await openAt(startMs, 'local_testnet', authors);
  const port = openPort(source);
  const blocks: Block[] = [];
  for (let jump = 1; jump <= 4; jump++) {
    for (let made = 0; made < 7; made++)
      blocks.push((await source.parts.chain.loadBlock(await sealOn(source))) as Block);
    await port.request('dev_timeTravel', [startMs + jump * 70 * 6000]);
  }
  port.shut();
  await source.close();
  return blocks;
};

const lastRandomness = (blocks: readonly Block[]): Uint8Array | undefined =>
  blocks.map(({ header }) => headerNextEpoch(header)).findLast((next) => next !== null)?.randomness;

const slotOf = (block: Block | undefined): bigint =>
  block === undefined ? 0n : (headerPreDigest(block.header)?.slot ?? 0n);

it('epochs without a block are skipped, and forks with different epochs are verified by their own', async () => {
  const one = await makeBlocks(28, 'local_testnet', authors);
  const other = await makeSkipping();
  expect(slotOf(other.at(-1)) - slotOf(other[0])).toBeGreaterThan(210n);
  expect(lastRandomness(one)).not.toEqual(lastRandomness(other));
  const node = await openAt(startMs, 'local_testnet', { keys: [] });
  for (const [index, block] of one.entries()) await importAll(node, [block, other[index] as Block]);
  expect(node.parts.chain.unfinalized().length).toBe(57);
  await node.close();
});

/** A runtime that cannot return epochs. */
const speechless = (runtime: Runtime): Runtime => ({
  ...runtime,
  call: (overlay, method, ...rest) =>
    method === 'BabeApi_current_epoch'
      ? { ok: false, kind: 'missingExport', trap: method, logs: [] }
      : runtime.call(overlay, method, ...rest),
});

it('headers give the same epochs as the runtime, over forks and epochs without a block', async () => {
  const node = await openAt(startMs, 'local_testnet', { keys: [] });
  await importAll(node, await makeBlocks(25, 'local_testnet', authors));
  await importAll(node, await makeSkipping());
  const { view } = node.parts.chain;
  const indices = new Set<bigint | undefined>();
  for (const block of node.parts.chain.unfinalized().filter(({ number }) => number > 0)) {
    const told = await createEpochs(view).at(block);
    const walked = await createEpochs({
      loadHeader: view.loadHeader,
      readState: (hash, read) =>
        view.readState(hash, (at) => read({ ...at, runtime: speechless(at.runtime) })),
    }).at(block);
    expect(walked).toMatchObject(told);
    indices.add(told.known?.current.index);
  }
  expect(indices.size).toBeGreaterThan(4);
  await node.close();
});

const loadWestend = async (): Promise<Block[]> =>
  (await loadFixtureJson<FixtureBlock[]>('blocks/westend-1-128.json')).map(({ header, body }) => ({
    header: decodeHeader(hexToBytes(header)),
    extrinsics: body.map((text) => decodeExtrinsic(hexToBytes(text))),
  }));

const reopened = async (chain: Parameters<typeof testConfig>[0], blocks: readonly Block[], nowMs: number) => {
  const db = lastingDatabase();
  for (const [from, to] of [
    [0, 25],
    [25, 47],
    [47, blocks.length],
  ]) {
    const node = await createNode(
      createTestPlatform({ db, now: () => nowMs }),
      testConfig(chain, { keys: [], finality: { kind: 'manual' } }),
    );
    await importAll(node, blocks.slice(from, to));
    await node.close();
  }
};

it('a restarted node finds the epochs in the state of its head', async () => {
  await reopened('local_testnet', await makeBlocks(70, 'local_testnet', authors), startMs);
});

it.skipIf(!hasFixtures)(
  'for a runtime of 2020 without such a call: in the headers below (shared fixtures)',
  async () => {
    const chain = { specJson: await loadFixtureText('chains/westend-raw.json') };
    await reopened(chain, await loadWestend(), Date.UTC(2026, 0));
  },
);
