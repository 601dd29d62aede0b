import { afterEach, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { Writer } from '../../worker/bytes/writer.ts';
import type { Block } from '../../worker/codec/block.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { writeAuthorities } from '../../worker/executor/runtime-api-consensus.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { sealOn } from '../rigs/seal-on.ts';

let dev: DevNode;
afterEach(() => dev.stop());

const start = async (db = lastingDatabase()): Promise<DevNode> => {
  dev = await startDevNode({ db, changes: { finality: { kind: 'manual' } } });
  return dev;
};
const load = async (hash: BlockHash): Promise<Block> => (await dev.node.parts.chain.loadBlock(hash)) as Block;
const importFile = (block: Block) => dev.node.parts.chain.import(block, { origin: 'file' });

describe('a block that is imported again', () => {
  it('keeps its dev state, on which its children are built', async () => {
    const db = lastingDatabase();
    await start(db);
    const first = await sealOn(dev.node);
    const second = await sealOn(dev.node);
    const block = await load(second);
    await dev.call('dev_setStorage', [['0x1234', '0x01']], second);
    await dev.call('dev_setHead', first);
    expect(await importFile(block)).toMatchObject({ ok: true, hash: second });
    const third = await sealOn(dev.node);
    const read = () =>
      Promise.all([second, third].map((hash) => dev.call('state_getStorage', '0x1234', hash)));
    expect(await read()).toEqual(['0x01', '0x01']);
    await dev.stop();
    await start(db);
    expect(await read()).toEqual(['0x01', '0x01']);
  });

  it("is verified with its parent's current state", async () => {
    await start();
    const first = await sealOn(dev.node);
    const block = await load(await sealOn(dev.node));
    await dev.call('dev_setHead', first);
    await dev.call('dev_snapshot', 'before');
    const stranger = [{ publicKey: dev.pair('//Bob').publicKey, weight: 1n }];
    const authorities = bytesToHex(writeAuthorities(new Writer(64), stranger).finish());
    await dev.call('dev_setStorage', [[dev.itemKey('Babe', 'Authorities'), authorities]], first);
    expect(await importFile(block)).toMatchObject({ ok: false });
    await dev.call('dev_restore', 'before');
    expect(await importFile(block)).toMatchObject({ ok: true, number: 2 });
  });
});

it('a chain reset to its start reports no equivocations in slots used before', async () => {
  await start();
  const other = await startDevNode({ changes: { finality: { kind: 'manual' } } });
  const [ours, theirs] = [await load(await sealOn(dev.node)), await sealOn(other.node)];
  const block = (await other.node.parts.chain.loadBlock(theirs)) as Block;
  await other.stop();
  await dev.call('dev_reset');
  await importFile(ours);
  await dev.call('dev_reset');
  expect(await importFile(block)).toMatchObject({ ok: true, number: 1 });
  expect(dev.node.parts.equivocations.list()).toEqual([]);
  expect(dev.node.parts.pool.readyCount()).toBe(0);
});

it('chain time that is not a valid time in milliseconds is refused with an error code', async () => {
  await start();
  const json = {
    block: await dev
      .call('chain_getBlock', await sealOn(dev.node))
      .then((found) => (found as { block: never }).block),
  };
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 0.5])
    await expect(dev.node.importBlock(json, time)).rejects.toMatchObject({ code: 'BadBlock' });
});
