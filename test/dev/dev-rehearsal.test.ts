import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entryPrefix } from '../../src/scale/storage.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { createRehearse } from '../../worker/dev/one-rehearsal.ts';
import { createExecutor } from '../../worker/executor/executor.ts';
import { openWire, type Wire } from '../clients/wire.ts';
import { openForkOf } from '../fork/fork-rig.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { type Assembler, buildMigratingRuntime, type Migration } from '../rigs/migrating-runtime.ts';
import { loadDefaultRuntime, loadNextRuntime } from '../rigs/platform.ts';

const crypto = await loadCrypto();
const cursor = hexToBytes(entryPrefix('MultiBlockMigrations', 'Cursor'));
/** Active: the first migration, without an inner cursor, begun at block 1. */
const active = Uint8Array.of(0, 0, 0, 0, 0, 0, 1, 0, 0, 0);

type Item = { readonly kind: string; readonly [member: string]: unknown };

let dev: DevNode;
let wire: Wire;
let isBlocked = false;
beforeEach(async () => {
  isBlocked = false;
  dev = await startDevNode();
  wire = openWire(dev.node, { isBlocked: () => isBlocked });
});
afterEach(async () => {
  wire.close();
  await dev.stop();
});

const subscribe = async (code: Uint8Array, options: readonly unknown[] = [], from = wire) => {
  const { items, id } = await from.follow('dev_subscribeRehearsal', bytesToHex(code), ...options);
  return { items: items as Item[], id };
};

const last = async (items: readonly Item[]): Promise<Item> => {
  await expect.poll(() => items.at(-1)?.kind).toMatch(/report|failed/);
  return items.at(-1) as Item;
};

const rehearse = async (code: Uint8Array, ...options: unknown[]): Promise<Item> =>
  last((await subscribe(code, options)).items);

const migrating = (write: (assembler: Assembler) => Migration): Promise<Uint8Array> =>
  buildMigratingRuntime(crypto, write);
const endless = (): Promise<Uint8Array> => migrating(({ write }) => ({ after: write(cursor, active) }));

const refusal = async (code: Uint8Array, ...options: unknown[]): Promise<unknown> =>
  (await wire.ask('dev_subscribeRehearsal', bytesToHex(code), ...options)).error;

describe('dev_subscribeRehearsal', () => {
  it('sends progress, then the report, and ends; the chain does not change', async () => {
    await dev.call('engine_createBlock', true, true);
    const before = await dev.call('dev_status');
    const { items, id } = await subscribe(await loadNextRuntime());
    expect(await last(items)).toMatchObject({
      kind: 'report',
      block: { number: 1, hash: dev.best().hash },
      specVersion: { before: 101, after: 102 },
      checks: null,
      blocks: [{ number: 2 }, { number: 3 }, { number: 4 }, { number: 5 }],
      problems: [],
      requests: 0,
      bytes: 0,
    });
    const progress = items.slice(0, -1);
    expect(progress[0]).toEqual({
      kind: 'progress',
      step: 'upgrade',
      block: 2,
      keys: 0,
      requests: 0,
      bytes: 0,
    });
    expect(new Set(progress.map(({ step }) => step))).toEqual(new Set(['upgrade', 'blocks']));
    expect(progress.find(({ step }) => step === 'blocks')?.['keys']).toBeGreaterThan(10);
    expect(await wire.call('dev_unsubscribeRehearsal', id)).toBe(false);
    expect(await dev.call('dev_status')).toEqual(before);
    expect(await dev.read('0x3a636f6465')).toEqual(await loadDefaultRuntime());
  });

  it('rehearses on the block that is given', async () => {
    const { hash } = dev.best();
    await dev.call('engine_createBlock', true, true);
    expect(await rehearse(await loadNextRuntime(), null, null, hash)).toMatchObject({
      kind: 'report',
      block: { number: 0, hash },
    });
  });

  it('reports a migration that traps', async () => {
    const code = await migrating(({ trap }) => ({ before: trap }));
    expect(await rehearse(code)).toMatchObject({
      kind: 'report',
      migration: null,
      blocks: null,
      problems: [expect.stringMatching(/^on_runtime_upgrade fails, .* before block #1: it traps/)],
    });
  });

  it('reports a migration that loops', async () => {
    // Of the fuel that it may burn, so little that the test takes a moment.
    const executor = createExecutor({ crypto }, { fuel: { sealed: 50_000_000n, import: 50_000_000n } });
    const rehearse = createRehearse({ ...dev.node.parts, executor, zstd: null, origin: null });
    const { parts } = dev.node;
    const own = openWire({ parts: { ...parts, dev: { ...parts.dev, rehearse } } });
    const { items } = await subscribe(await migrating(({ loop }) => ({ before: loop })), [], own);
    expect(await last(items)).toMatchObject({
      problems: [expect.stringContaining('it runs out of fuel, so it loops')],
    });
    own.close();
  });

  it('follows multi-block migrations for as many blocks as are allowed', async () => {
    expect(await rehearse(await endless(), null, 6)).toMatchObject({
      multiBlock: { blocks: 6, outcome: 'unfinished' },
      problems: [expect.stringContaining('raise the number of blocks (max blocks)')],
    });
  });

  it('runs the checks that are chosen', async () => {
    const code = await migrating(({ trap }) => ({ checks: trap }));
    const { items } = await subscribe(code, ['try-state']);
    expect(await last(items)).toMatchObject({
      checks: { selected: 'try-state', failure: expect.stringContaining('it traps') },
    });
    expect(items[0]).toMatchObject({ kind: 'progress', step: 'checks', block: null });
  });

  it('refuses what cannot be rehearsed with its code', async () => {
    const next = await loadNextRuntime();
    const cases = [
      [[await loadDefaultRuntime()], 'BadCode', 'build it with a higher spec_version'],
      [[Uint8Array.of(1, 2, 3)], 'BadCode', ''],
      [[next, 'all'], 'MissingApi', 'build it with the feature try-runtime'],
      [[next, null, null, `0x${'12'.repeat(32)}`], 'UnknownBlock', 'Header was not found'],
      [[next, 'some'], 'unknown checks, expected one of `none`', 'Invalid params'],
      [[next, null, 0], 'expected a number of blocks from 1 to 1000000', 'Invalid params'],
    ] as const;
    for (const [[code, ...options], data, message] of cases)
      expect(await refusal(code, ...options)).toMatchObject({
        data: expect.stringContaining(data),
        message: expect.stringContaining(message),
      });
    // None of them holds the place of the next one.
    expect(await rehearse(next)).toMatchObject({ kind: 'report' });
  });

  it('refuses a second rehearsal, and takes the next one after it was canceled', async () => {
    const code = await endless();
    const { items, id } = await subscribe(code, [null, 1_000_000]);
    await expect.poll(() => items.at(-1)?.['step']).toBe('blocks');
    expect(await refusal(code)).toMatchObject({
      data: 'LimitReached',
      message: expect.stringContaining('is rehearsing another upgrade: wait for its report, or cancel it'),
    });
    expect(await wire.call('dev_unsubscribeRehearsal', id)).toBe(true);
    await expect.poll(() => refusal(code, null, 1)).toBeUndefined();
    expect(items.filter(({ kind }) => kind !== 'progress')).toEqual([]);
  });

  it('ends with its connection', async () => {
    const other = openWire(dev.node);
    const code = await endless();
    const { items } = await subscribe(code, [null, 1_000_000], other);
    await expect.poll(() => items.length).toBeGreaterThan(0);
    other.close();
    await expect.poll(() => refusal(code, null, 1)).toBeUndefined();
  });

  it('answers other calls meanwhile', async () => {
    const { id } = await subscribe(await endless(), [null, 1_000_000]);
    await dev.call('engine_createBlock', true, true);
    expect(await dev.call('chain_getHeader')).toMatchObject({ number: '0x1' });
    expect(await wire.call('dev_unsubscribeRehearsal', id)).toBe(true);
  });

  it('keeps the report for a client that has fallen behind', async () => {
    isBlocked = true;
    const { items } = await subscribe(await endless(), [null, 20]);
    expect(await last(items)).toMatchObject({ multiBlock: { blocks: 20 } });
    // Progress that nobody takes would end the subscription.
    expect(items).toHaveLength(1);
  });

  it('counts what a fork reads over the network', async () => {
    const { node } = await openForkOf(dev.node, { block: 'best', keys: [] });
    const forked = openWire(node);
    const { items } = await subscribe(await loadNextRuntime(), [], forked);
    const report = await last(items);
    expect(report).toMatchObject({ kind: 'report', problems: [] });
    expect(report['requests']).toBeGreaterThan(0);
    const read = items.filter(({ requests }) => (requests as number) > 0);
    expect(read.some(({ kind }) => kind === 'progress')).toBe(true);
    forked.close();
    await node.close();
  });
});
