import { afterEach, describe, expect, it } from 'vitest';
import type { FinalityMode } from '../../src/protocol/node.ts';
import type { Database } from '../../worker/db/database.ts';
import { openWire } from '../clients/wire.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';

const soon = { kind: 'delayed', ms: 20 } as const;
const never = { kind: 'delayed', ms: 0x7fff_ffff } as const;

let dev: DevNode;
afterEach(() => dev.stop());

/** The default finality if none is given. */
const open = async (finality?: FinalityMode, db: Database = lastingDatabase()): Promise<void> => {
  dev = await startDevNode({ db, changes: { finality } });
};
const finalizedAt = (number: number) =>
  expect.poll(() => dev.finalized().number, { interval: 5, timeout: 20_000 }).toBe(number);

describe('what clients receive while finality is delayed', () => {
  it('chainHead_v1: the body of the best block can be fetched before the block is finalized', async () => {
    await open({ kind: 'delayed', blocks: 1 });
    const wire = openWire(dev.node);
    const { id, items } = await wire.follow('chainHead_v1_follow', false);
    const best = await dev.call<string>('dev_newBlock');
    await expect.poll(() => items).toContainEqual({ event: 'bestBlockChanged', bestBlockHash: best });
    // The way dedot implements `untilBestChainBlockIncluded`: it looks for its transaction in each new best
    // block.
    const started = await wire.call<{ operationId: string }>('chainHead_v1_body', id, best);
    const { operationId } = started;
    await expect
      .poll(() => items)
      .toContainEqual(expect.objectContaining({ event: 'operationBodyDone', operationId }));
    const finalized = expect.objectContaining({
      event: 'finalized',
      finalizedBlockHashes: [best],
    }) as unknown;
    expect(items).not.toContainEqual(finalized);
    await dev.call('dev_newBlock');
    await expect.poll(() => items, { timeout: 20_000 }).toContainEqual(finalized);
    wire.close();
  });

  it('author_submitAndWatchExtrinsic: the block can be fetched between inBlock and finalized', async () => {
    await open({ kind: 'delayed', blocks: 1 });
    const wire = openWire(dev.node);
    const transfer = await dev.transfer('//Alice', dev.pair('//Bob').publicKey, 1n, 0);
    const { items } = await wire.follow('author_submitAndWatchExtrinsic', transfer);
    const block = await dev.call<string>('dev_newBlock');
    await expect.poll(() => items).toContainEqual({ inBlock: block });
    await wire.call('chain_getBlock', block);
    expect(items.at(-1)).toEqual({ inBlock: block });
    await dev.call('dev_newBlock');
    await expect.poll(() => items.at(-1), { timeout: 20_000 }).toEqual({ finalized: block });
    wire.close();
  });
});

describe('a chain with blocks that are not finalized', () => {
  it('finalizes its own blocks after it is reopened, and none from elsewhere', async () => {
    const db = lastingDatabase();
    await open({ kind: 'manual' }, db);
    await dev.call('dev_newBlock', { count: 3 });
    const file = await dev.call<string>('dev_exportChain', 'json');
    await dev.stop();
    await open(soon, db);
    await finalizedAt(3);
    await dev.stop();

    const copy = lastingDatabase();
    await open({ kind: 'manual' }, copy);
    await dev.call('dev_importChain', file);
    await dev.call('dev_newBlock');
    const own = dev.best().hash;
    await dev.call('dev_setHead', 3);
    await dev.stop();
    await open(soon, copy);
    const finals: number[] = [];
    dev.node.parts.chain.onEvent(({ kind, number }) => void (kind === 'finalized' && finals.push(number)));
    expect(dev.best().number).toBe(3);
    await dev.call('dev_setHead', own);
    await finalizedAt(4);
    expect(finals).toEqual([4]);
  });

  it('finalizes the blocks of a restored snapshot', async () => {
    await open(never);
    await dev.call('dev_newBlock', { count: 2 });
    await dev.call('dev_snapshot', 'two');
    await dev.call('dev_newBlock', { count: 2 });
    await dev.call('dev_finalise');
    await dev.call('dev_restore', 'two');
    expect([dev.best().number, dev.finalized().number]).toEqual([2, 0]);
    await dev.call('dev_setFinality', soon);
    await finalizedAt(2);
  });

  it('continues from where the head was moved to', async () => {
    await open(never);
    await dev.call('dev_newBlock', { count: 4 });
    const second = await dev.call<string>('dev_setHead', -2);
    await dev.call('dev_setFinality', soon);
    await finalizedAt(2);
    expect(dev.finalized().hash).toBe(second);
  });

  it('accepts an earlier finalization by the operator, and one together with the block', async () => {
    await open(never);
    await dev.call('dev_newBlock', { count: 2 });
    expect(await dev.call('engine_finalizeBlock', dev.best().hash)).toBe(true);
    expect(dev.finalized().number).toBe(2);
    await dev.call('engine_createBlock', true, true);
    expect(dev.finalized().number).toBe(3);
    await dev.call('dev_newBlock');
    expect(dev.finalized().number).toBe(3);
  });
});

describe('dev_setFinality', () => {
  it('accepts each mode, by name if it has no parameters, and the status reports it', async () => {
    await open({ kind: 'manual' });
    for (const [given, mode] of [
      ['delayed', { kind: 'delayed', ms: 1500 }],
      ['instant', { kind: 'instant' }],
      ['manual', { kind: 'manual' }],
      [
        { kind: 'delayed', ms: 7 },
        { kind: 'delayed', ms: 7 },
      ],
      [
        { kind: 'delayed', blocks: 2 },
        { kind: 'delayed', blocks: 2 },
      ],
      [{ kind: 'instant' }, { kind: 'instant' }],
    ] as const) {
      await dev.call('dev_setFinality', given);
      expect(await dev.node.status()).toMatchObject({ finality: mode, finalityChosen: true });
    }
  });

  it.each([
    'late',
    { kind: 'late' },
    { kind: 'delayed', ms: 0 },
    { kind: 'delayed', ms: 1.5 },
    { kind: 'delayed', ms: 2 ** 31 },
    { kind: 'delayed', blocks: '2' },
    { kind: 'delayed', ms: 1, blocks: 1 },
    null,
  ])('refuses %j', async (mode) => {
    await open({ kind: 'manual' });
    await expect(dev.call('dev_setFinality', mode)).rejects.toMatchObject({ code: -32602 });
  });

  it('by blocks, finalizes a block once enough are on top of it', async () => {
    await open({ kind: 'delayed', blocks: 2 });
    await dev.call('dev_newBlock', { count: 5 });
    await finalizedAt(3);
  });
});

it('follows the seal mode unless a finality mode was chosen', async () => {
  await open();
  const mode = async () => (await dev.node.status()).finality;
  expect(await mode()).toEqual({ kind: 'instant' });
  for (const seal of ['instant', 'slots', { kind: 'interval', ms: 100_000 }]) {
    await dev.call('dev_setSealMode', seal);
    expect(await mode()).toEqual({ kind: 'delayed', ms: 1500 });
  }
  await dev.call('dev_setSealMode', 'manual');
  expect(await dev.node.status()).toMatchObject({ finality: { kind: 'instant' }, finalityChosen: false });
});
