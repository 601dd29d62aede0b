import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import type { NodeStatus } from '../../src/protocol/node.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import type { Origin } from '../../worker/chain/origin.ts';
import { type DevNode, lastingDatabase, startDevNode } from '../rigs/dev-node.ts';
import { loadNextRuntime } from '../rigs/platform.ts';
import { originOf } from './chain-origin.ts';
import { type ForkOptions, importFork, type OpenedFork, openForkOf } from './fork-rig.ts';

let live: DevNode;
let [one, two, three] = ['', '', ''];
beforeAll(async () => {
  live = await startDevNode();
  [one, two, three] = [accountOf(1), accountOf(2), accountOf(3)];
  for (let block = 0; block < 9; block++) await live.call('engine_createBlock', true, true);
}, 60_000);
afterAll(() => live.stop());

const open = (options: ForkOptions = {}): Promise<OpenedFork> =>
  openForkOf(live.node, { keys: [], block: '3', ...options });
const seal = ({ call }: OpenedFork) => call<{ hash: string }>('engine_createBlock', true, true);
const read = ({ call }: OpenedFork, key: string) => call<string | null>('state_getStorage', key);
const statusOf = ({ call }: OpenedFork) => call<NodeStatus>('dev_status');
const accountOf = (byte: number): string => live.accountKey(new Uint8Array(32).fill(byte));
const balance = (byte: number): string =>
  `0x${'00'.repeat(16)}${byte.toString(16).padStart(2, '0').repeat(8)}${'00'.repeat(56)}`;
const sudoKey = (): string => live.itemKey('Sudo', 'Key');

/** At the base: one, two and the sudo key; at block 5: another value of two, three, and no sudo key. */
const edit = async (fork: OpenedFork): Promise<void> => {
  const { call } = fork;
  await call('dev_setStorage', [
    [one, balance(1)],
    [two, balance(2)],
  ]);
  await seal(fork);
  await seal(fork);
  await call('dev_setStorage', [
    [two, balance(5)],
    [three, balance(3)],
    [sudoKey(), null],
  ]);
  // Taken back, so nothing of it is declared.
  await call('dev_setStorage', [[accountOf(9), balance(9)]]);
  await call('dev_setStorage', [[accountOf(9), null]]);
  await call('dev_impersonate', live.pair('//Bob').address);
  await seal(fork);
};

const expectDeclared = async (fork: OpenedFork): Promise<void> => {
  expect(await read(fork, one)).toBe(balance(1));
  expect(await read(fork, two)).toBe(balance(5));
  expect(await read(fork, three)).toBe(balance(3));
  expect(await read(fork, sudoKey())).toBeNull();
  expect(await read(fork, accountOf(9))).toBeNull();
  const { fork: status, edited, impersonated, bestHash } = await statusOf(fork);
  expect(status?.untruths).toEqual([
    'The state of some blocks was edited',
    'Transactions may have mock signatures',
  ]);
  expect(edited).toEqual([bestHash]);
  expect(impersonated).toEqual([bytesToHex(live.pair('//Bob').publicKey)]);
};

describe('a pack', () => {
  it('has what was declared on any block, and declares it again on the base', async () => {
    const fork = await open();
    await edit(fork);
    const pack = hexToBytes(await fork.call<string>('dev_exportFork'));
    await fork.node.close();
    const again = await open({ endpoints: [], block: undefined, source: { pack } });
    expect(again.node.parts.chain.best().number).toBe(3);
    await expectDeclared(again);
    await seal(again);
    expect(await read(again, two)).toBe(balance(5));
    // The pack of the fork that was opened from it declares the same.
    const second = hexToBytes(await again.call<string>('dev_exportFork'));
    await again.node.close();
    const third = await open({ endpoints: [], block: undefined, source: { pack: second } });
    await expectDeclared(third);
    expect(third.errors).toEqual([]);
    await third.node.close();
  });

  it('is stored with what it declares', async () => {
    const fork = await open();
    await edit(fork);
    const pack = hexToBytes(await fork.call<string>('dev_exportFork'));
    await fork.node.close();
    const db = lastingDatabase();
    await (await open({ db, endpoints: [], block: undefined, source: { pack } })).node.close();
    const again = await open({ db, endpoints: [], block: undefined });
    await expectDeclared(again);
    await again.node.close();
  });

  it('of a fork without a declared value has none', async () => {
    const fork = await open();
    await seal(fork);
    const pack = hexToBytes(await fork.call<string>('dev_exportFork'));
    await fork.node.close();
    const again = await open({ endpoints: [], block: undefined, source: { pack } });
    expect(await statusOf(again)).toMatchObject({ modified: false, edited: [], fork: { untruths: [] } });
    await again.node.close();
  });
});

describe('dev_fork with rebase', () => {
  it('declares the same on a newer block, and builds on it', async () => {
    const db = lastingDatabase();
    const fork = await open({ db });
    await edit(fork);
    await fork.call('dev_snapshot', 'before');
    await fork.call('dev_timeTravel', Date.UTC(2035, 0, 1));
    const old = await statusOf(fork);
    expect(await fork.call('dev_fork', { rebase: 8 })).toEqual({
      base: { number: 8, hash: await live.call('chain_getBlockHash', 8) },
      writes: 4,
    });
    await expectDeclared(fork);
    expect(await statusOf(fork)).toMatchObject({
      bestNumber: 8,
      finalizedNumber: 8,
      base: { number: 8 },
      clockMovedToMs: 0,
      fork: { base: { number: 8 }, chosenAs: 'number' },
    });
    // What was below it is the live chain's now, and the old blocks are gone.
    expect(await fork.call('chain_getBlockHash', 5)).toBe(await live.call('chain_getBlockHash', 5));
    expect(await fork.call('chain_getHeader', old.bestHash)).toBeNull();
    expect(await fork.call('dev_listSnapshots')).toEqual([]);
    const { requests } = fork.origin.stats();
    await seal(fork);
    // What the next blocks need is read ahead on the new base as well.
    await expect.poll(() => fork.origin.stats().requests).toBeGreaterThan(requests);
    for (let block = 0; block < 2; block++) await seal(fork);
    expect(await read(fork, three)).toBe(balance(3));
    const { bestHash } = await statusOf(fork);
    expect(fork.errors).toEqual([]);
    await fork.node.close();
    const again = await open({ db, endpoints: [], block: undefined });
    expect(again.node.parts.chain.best()).toMatchObject({ hash: bestHash, number: 11 });
    expect(again.node.parts.chain.base.number).toBe(8);
    await seal(again);
    await again.node.close();
  });

  it('without a declared value is a fork of the newer block, to the byte', async () => {
    const fork = await open();
    await seal(fork);
    expect(await fork.call('dev_fork', { rebase: 'finalized' })).toMatchObject({
      base: { number: 9 },
      writes: 0,
    });
    for (let block = 0; block < 4; block++) await seal(fork);
    const fresh = await open({ block: '9', changes: { trustBlocks: true } });
    await importFork(fresh.node, fork.node);
    expect((await statusOf(fork)).fork?.untruths).toEqual([expect.stringContaining('have no seal')]);
    await fresh.node.close();
    await fork.node.close();
  });

  it('goes on voting for blocks with the keys of the authorities', async () => {
    const fork = await open({ keys: ['//Alice'], changes: { finality: { kind: 'grandpa' } } });
    const finalized = async () => (await statusOf(fork)).finalizedNumber;
    for (let block = 0; block < 3; block++) await seal(fork);
    await expect.poll(finalized, { timeout: 20_000 }).toBeGreaterThan(3);
    await fork.call('dev_fork', { rebase: 8 });
    expect(await finalized()).toBe(8);
    for (let block = 0; block < 3; block++) await seal(fork);
    await expect.poll(finalized, { timeout: 20_000 }).toBeGreaterThan(8);
    expect(fork.errors).toEqual([]);
    await fork.node.close();
  }, 60_000);

  it('takes another runtime with it', async () => {
    const fork = await open();
    await fork.call('dev_setStorage', [['0x3a636f6465', bytesToHex(await loadNextRuntime())]]);
    const { specVersion } = await statusOf(fork);
    expect(specVersion).not.toBe((await live.call<NodeStatus>('dev_status')).specVersion);
    await fork.call('dev_fork', { rebase: 'best' });
    expect(await statusOf(fork)).toMatchObject({ specVersion, bestNumber: 9 });
    await seal(fork);
    await fork.node.close();
  });

  it('is refused in one sentence, and loses nothing', async () => {
    const origin = originOf(live.node);
    let isDown = false;
    const failing: Origin = {
      ...origin,
      nodes: (...request) =>
        isDown
          ? Promise.reject(new NodeError('EndpointFailed', 'ws://live could not be read'))
          : origin.nodes(...request),
    };
    const fork = await open({ origin: failing });
    await edit(fork);
    await fork.call('dev_snapshot', 'before');
    const before = await statusOf(fork);
    const refused = async (rebase: unknown, text: string): Promise<void> => {
      await expect(fork.call('dev_fork', { rebase })).rejects.toMatchObject({
        message: expect.stringContaining(text),
      });
      expect(await statusOf(fork)).toMatchObject({
        bestHash: before.bestHash,
        edited: before.edited,
        base: { number: 3 },
      });
    };
    await refused(99, 'The chain has no block #99 yet');
    await refused(2, 'Block #2 of "Development" is not newer than the base of this fork, block #3');
    await refused(3, 'is not newer');
    await refused(`0x${'77'.repeat(32)}`, 'No endpoint knows the block');
    isDown = true;
    await refused(7, 'ws://live could not be read');
    isDown = false;
    expect(await fork.call('dev_listSnapshots')).toMatchObject([{ name: 'before' }]);
    await fork.call('dev_restore', 'before');
    await seal(fork);
    expect(await fork.call('chain_getHeader', await live.call('chain_getBlockHash', 7))).toBeNull();
    await fork.node.close();
    await expect(live.call('dev_fork', { rebase: 7 })).rejects.toThrow('no fork of a live chain');
  });

  it('needs an endpoint', async () => {
    const db = lastingDatabase();
    await (await open({ db })).node.close();
    const fork = await open({ db, endpoints: [], block: undefined });
    await expect(fork.call('dev_fork', { rebase: 8 })).rejects.toMatchObject({
      message: expect.stringContaining(
        'Block 8 of "Development" is read from an endpoint, and no endpoint was named: name one to read this',
      ),
    });
    await fork.node.close();
  });

  it('writes nothing of it if the transaction fails', async () => {
    const whole = lastingDatabase();
    let isFull = false;
    const db: typeof whole = {
      ...whole,
      write: (batch) =>
        isFull && batch.puts.some(([store]) => store === 'meta')
          ? Promise.reject(new NodeError('StorageQuota'))
          : whole.write(batch),
    };
    const fork = await open({ db });
    await edit(fork);
    const before = await statusOf(fork);
    isFull = true;
    await expect(fork.call('dev_fork', { rebase: 8 })).rejects.toBeDefined();
    isFull = false;
    expect(await statusOf(fork)).toEqual({ ...before, fork: expect.anything() });
    await seal(fork);
    await fork.node.close();
    const again = await open({ db, endpoints: [], block: undefined });
    expect(again.node.parts.chain.base.number).toBe(3);
    await seal(again);
    await again.node.close();
  });
});
