import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { originOf } from './chain-origin.ts';
import { countedOrigin } from './counted-origin.ts';
import { type ForkOptions, importFork, openForkOf, openWhole } from './fork-rig.ts';

const baseNumber = 24;

let live: DevNode;
beforeAll(async () => {
  live = await startDevNode();
  for (let block = 0; block < baseNumber; block++) await live.call('engine_createBlock', true, true);
}, 60_000);
afterAll(() => live.stop());

const openFork = (options?: ForkOptions) => openForkOf(live.node, options);

const seal = (call: DevNode['call']): Promise<unknown> => call('engine_createBlock', true, true);

describe.each([
  ['with the keys of an authority', ['//Alice'], {}],
  ['without keys: for the authority of each slot, without a seal', [], { trustBlocks: true }],
] as const)('a fork at block 24, %s', (_name, keys, changes) => {
  it('builds 20 blocks with transfers and removals, which a node with the whole state executes to the same roots', async () => {
    const { node, call } = await openFork({ keys, block: `${baseNumber}` });
    expect(node.parts.chain.best().hash).toBe(live.best().hash);
    expect(node.parts.chain.genesisHash).toBe(live.node.parts.chain.genesisHash);
    for (let block = 0; block < 20; block++) {
      const to = new Uint8Array(32).fill(40 + block);
      if (block % 3 === 0)
        await call('author_submitExtrinsic', await live.transfer('//Alice', to, 10n ** 13n, block / 3));
      if (block === 11) await call('author_submitExtrinsic', await live.transfer('//Bob', to, 10n ** 12n, 0));
      await seal(call);
    }
    expect(node.parts.chain.best().number).toBe(baseNumber + 20);
    const full = await openWhole(live.node, 'development', baseNumber, changes);
    await importFork(full, node);
    await full.close();
    await node.close();
  }, 60_000);
});

it('reads blocks below its base from the live chain, and their states', async () => {
  const { node, call } = await openFork({ block: '10' });
  const five = await call<string>('chain_getBlockHash', 5);
  expect(five).toBe(await live.call('chain_getBlockHash', 5));
  expect(await call('chain_getHeader', five)).toEqual(await live.call('chain_getHeader', five));
  expect(await call('chain_getBlock', five)).toEqual(await live.call('chain_getBlock', five));
  const code = '0x3a636f6465';
  expect(await call('state_getStorageHash', code, five)).toBe(
    await live.call('state_getStorageHash', code, five),
  );
  // A later block of the live chain is no block of the fork.
  const later = await live.call<string>('chain_getBlockHash', 12);
  expect(await call('chain_getHeader', later)).toBeNull();
  expect(await call('chain_getBlockHash', 12)).toBeNull();
  await node.close();
});

it('opens and builds without the live chain what was read once', async () => {
  const db = createMemoryDatabase();
  const lasting = { ...db, close: async () => undefined };
  const first = await openFork({ db: lasting });
  await seal(first.call);
  const { hash } = first.node.parts.chain.best();
  await first.node.close();
  const second = await openFork({ db: lasting, endpoints: [] });
  expect(second.node.parts.chain.best().hash).toBe(hash);
  await seal(second.call);
  expect(second.node.parts.chain.best().number).toBe(baseNumber + 2);
  const unread = live.accountKey(live.pair('//Bob').publicKey);
  await expect(second.call('state_getStorage', unread)).rejects.toMatchObject({
    message: expect.stringContaining('never read'),
  });
  await second.node.close();
});

it('reads for its first block in at most five proofs, and for the next ones none', async () => {
  const origin = originOf(live.node);
  const { node, call } = await openFork({ origin, keys: [] });
  const opening = origin.stats().requests;
  expect(opening).toBe(2);
  await seal(call);
  // What the next blocks change under their own numbers is read in the background, together.
  await expect.poll(() => origin.stats().requests).toBeGreaterThan(opening);
  await seal(call);
  const read = origin.stats().requests;
  expect(read - opening).toBeLessThanOrEqual(3);
  for (let block = 0; block < 20; block++) await seal(call);
  expect(origin.stats().requests).toBe(read);
  await node.close();
});

it('walks over a map in pages', async () => {
  const many = await startDevNode();
  const accounts = 3000;
  const prefix = many.itemKey('System', 'Account');
  const pairs = Array.from({ length: accounts }, (_, index) => {
    const account = new Uint8Array(32).fill(index & 255);
    account[0] = index >> 8;
    return [many.accountKey(account), `0x${'01'.repeat(80)}`];
  });
  await many.call('engine_createBlock', true, true);
  await many.call('dev_setStorage', pairs);
  await many.call('engine_createBlock', true, true);
  const { origin, during } = countedOrigin(many.node);
  const { node, call } = await openFork({ origin });
  const own: string[] = [];
  const walk = await during(async () => {
    for (let after: string | null = null; ; ) {
      const page: string[] = await call('state_getKeysPaged', prefix, 1000, after);
      own.push(...page);
      if (page.length < 1000) break;
      after = page.at(-1) ?? null;
    }
  });
  const live3000 = await many.call<string[]>('state_getKeysPaged', prefix, 1000, own[999]);
  expect(own.slice(1000, 2000)).toEqual(live3000);
  expect(own.length).toBeGreaterThanOrEqual(accounts);
  // Two requests for each step of 32, 128, 512 and then 1,000 keys; the next keys are listed while nodes are proven.
  expect(walk.requests).toBeLessThanOrEqual(20);
  expect(walk.rounds).toBeLessThanOrEqual(8);
  await node.close();
  await many.stop();
}, 60_000);

it('goes back to its base by dev_reset', async () => {
  const { node, call } = await openFork();
  await seal(call);
  expect(await call('dev_reset')).toMatchObject({ number: baseNumber });
  await seal(call);
  expect(node.parts.chain.best().number).toBe(baseNumber + 1);
  await node.close();
});

it('refuses what it cannot be', async () => {
  const db = createMemoryDatabase();
  const lasting = { ...db, close: async () => undefined };
  const { node } = await openFork({ db: lasting, block: '7' });
  await node.close();
  await expect(openFork({ db: lasting, block: '8' })).rejects.toMatchObject({
    code: 'BadSpec',
    message: expect.stringContaining('at block #7'),
  });
  await expect(openFork({ endpoints: [] })).rejects.toMatchObject({ code: 'BadConfig' });
  await expect(openFork({ block: '99' })).rejects.toMatchObject({ code: 'UnknownBlock' });
  await expect(openFork({ changes: { statePruning: 256 } })).rejects.toMatchObject({ code: 'BadConfig' });
});
