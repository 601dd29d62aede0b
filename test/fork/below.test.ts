import { afterAll, beforeAll, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { Origin } from '../../worker/chain/origin.ts';
import { childPrefix } from '../../worker/state/backend.ts';
import { openWire } from '../clients/wire.ts';
import { type DevNode, lastingDatabase, rejection, startDevNode } from '../rigs/dev-node.ts';
import { originOf } from './chain-origin.ts';
import { openForkOf } from './fork-rig.ts';
import { playScenes, upgradeRuntime } from './traffic.ts';

/** Blocks and states below the base of a fork, which are the live chain's. */

let live: DevNode;
let baseNumber: number;
/** One block of each kind: with and without a child trie, before and after the runtime was upgraded. */
let heights: readonly number[];

beforeAll(async () => {
  live = await startDevNode();
  await playScenes(live.node, 'Live');
  const before = live.best().number;
  await upgradeRuntime(live.node);
  baseNumber = live.best().number;
  heights = [0, 1, 4, before - 2, before, baseNumber - 1];
}, 120_000);
afterAll(() => live.stop());

/** An origin that counts what it is asked for at which block, and that may be out of reach. */
const watched = () => {
  const whole = originOf(live.node);
  const proven = new Set<string>();
  let isDown = false;
  const guard =
    <A extends unknown[], T>(ask: (...args: A) => Promise<T>) =>
    (...args: A): Promise<T> =>
      isDown ? Promise.reject(new NodeError('EndpointFailed', 'The endpoint is gone')) : ask(...args);
  const origin: Origin = {
    ...whole,
    hashAt: guard(whole.hashAt),
    header: guard(whole.header),
    body: guard(whole.body),
    keysPaged: guard(whole.keysPaged),
    nodes: guard((at, ...request) => {
      proven.add(bytesToHex(at));
      return whole.nodes(at, ...request);
    }),
  };
  return {
    origin,
    proven,
    fail: () => {
      isDown = true;
    },
  };
};

const account = '0x26aa394eea5630e07c48ae0c9558cef7b99d880ec681799c0cf30e8886371da9';
const children = bytesToHex(childPrefix);

/** The same questions to both nodes, at one block. */
const questions = (hash: string, child: string | undefined): readonly (readonly [string, ...unknown[]])[] => [
  ['state_getStorage', live.accountKey(live.pair('//Bob').publicKey), hash],
  ['state_getStorage', '0x00', hash],
  ['state_getStorageHash', '0x3a636f6465', hash],
  ['state_getStorageSize', '0x3a636f6465', hash],
  ['state_getKeysPaged', account, 100, null, hash],
  ['state_getPairs', account, hash],
  ['state_queryStorageAt', [live.itemKey('Timestamp', 'Now'), live.itemKey('System', 'Number')], hash],
  ['state_getReadProof', [live.itemKey('Timestamp', 'Now')], hash],
  ['state_getRuntimeVersion', hash],
  ['state_call', 'AccountNonceApi_account_nonce', bytesToHex(live.pair('//Alice').publicKey), hash],
  ['archive_v1_call', hash, 'Core_version', '0x'],
  ['state_getKeysPaged', children, 10, null, hash],
  ...(child === undefined
    ? []
    : ([
        ['childstate_getKeysPaged', child, '0x', 10, null, hash],
        ['state_getChildReadProof', child, ['0xaaaa'], hash],
      ] as const)),
];

it('reads every kind of state below the base as the live chain has it, proven in that very state', async () => {
  const { origin, proven } = watched();
  const { node, ask, errors } = await openForkOf(live.node, { block: `${baseNumber}`, origin });
  const seen = { children: 0, versions: new Set<unknown>() };
  for (const height of heights) {
    const hash = await live.call<string>('chain_getBlockHash', height);
    const [child] = await live.call<string[]>('state_getKeysPaged', children, 1, null, hash);
    if (child !== undefined) seen.children += 1;
    for (const [method, ...params] of questions(hash, child)) {
      const { result, error } = await ask(method, ...params);
      expect([method, height, error]).toEqual([method, height, undefined]);
      expect([method, height, result]).toEqual([method, height, await live.call(method, ...params)]);
      if (method === 'state_getRuntimeVersion')
        seen.versions.add((result as { specVersion: number }).specVersion);
    }
    expect(proven).toContain(hash);
  }
  expect(seen.children).toBeGreaterThan(0);
  expect(seen.children).toBeLessThan(heights.length);
  // Each block was called with its own code.
  expect(seen.versions.size).toBe(2);
  expect(errors).toEqual([]);
  await node.close();
}, 60_000);

it('compares states below the base with each other and with the fork, and executes blocks there', async () => {
  const { node, call } = await openForkOf(live.node, { block: `${baseNumber}`, origin: watched().origin });
  await call('engine_createBlock', true, true);
  const [one, four] = await Promise.all([1, 4].map((at) => live.call<string>('chain_getBlockHash', at)));
  const keys = [live.itemKey('Timestamp', 'Now'), live.itemKey('System', 'Number')];
  expect(await call('state_queryStorage', keys, one, four)).toEqual(
    await live.call('state_queryStorage', keys, one, four),
  );
  const changes = await call<{ block: string }[]>('state_queryStorage', keys, four);
  expect(changes).toHaveLength(baseNumber + 1 - 4 + 1);
  for (const block of [four, node.parts.chain.base.hash])
    expect(await call('dev_runBlock', block)).toMatchObject({ isSame: true, difference: null });
  const own = openWire(node);
  const theirs = openWire(live.node);
  const difference = async ({ follow }: typeof own): Promise<unknown[]> => {
    const params = [four, [{ key: '0x', returnType: 'hash' }], one] as const;
    const { items } = await follow('archive_v1_storageDiff', ...params);
    await expect.poll(() => items.at(-1)).toHaveProperty('event', 'storageDiffDone');
    return items;
  };
  expect(await difference(own)).toEqual(await difference(theirs));
  own.close();
  theirs.close();
  await node.close();
}, 60_000);

it('names a missing endpoint for what was never read, and has what was read once', async () => {
  const db = lastingDatabase();
  const parent = await live.call<string>('chain_getBlockHash', baseNumber - 1);
  const before = await live.call<string>('chain_getBlockHash', baseNumber - 2);
  const key = live.itemKey('Timestamp', 'Now');
  const first = await openForkOf(live.node, { block: `${baseNumber}`, db });
  const value = await first.call('state_getStorage', key, parent);
  await first.node.close();
  const { node, call } = await openForkOf(live.node, { db, endpoints: [] });
  expect(await call('state_getStorage', key, parent)).toBe(value);
  // The header of the parent names its own parent.
  expect(await call('chain_getBlockHash', baseNumber - 2)).toBe(before);
  const lost = [
    ['state_getStorage', live.accountKey(live.pair('//Bob').publicKey), parent],
    ['state_getStorage', key, before],
    ['chain_getBlockHash', baseNumber - 3],
    ['chain_getBlock', parent],
  ] as const;
  const fork = openWire(node);
  for (const [method, ...params] of lost)
    expect((await fork.ask(method, ...params)).error).toMatchObject({
      data: 'NotCached',
      message: expect.stringMatching(/never read, and no endpoint was named/),
    });
  fork.close();
  await node.close();
});

it('takes hashes below the base from the headers that it has, whatever an endpoint claims', async () => {
  const { origin } = watched();
  const claimed = new Uint8Array(32).fill(9);
  const { node, call } = await openForkOf(live.node, {
    block: `${baseNumber}`,
    origin: { ...origin, hashAt: async (number) => (number < baseNumber ? claimed : origin.hashAt(number)) },
  });
  const parent = await live.call<string>('chain_getBlockHash', baseNumber - 1);
  expect(await call('chain_getBlockHash', baseNumber - 1)).toBe(parent);
  expect(await call('chain_getBlockHash', baseNumber - 5)).toBe(bytesToHex(claimed));
  for (let number = baseNumber - 1; number > baseNumber - 5; number--)
    await call('chain_getHeader', await live.call('chain_getBlockHash', number));
  expect(await call('chain_getBlockHash', baseNumber - 5)).toBe(
    await live.call('chain_getBlockHash', baseNumber - 5),
  );
  await node.close();
});

it('is listed downward from the base with one request for each block, which proves the hash of the next one', async () => {
  const { origin } = watched();
  const asked: unknown[] = [];
  const { node, call } = await openForkOf(live.node, {
    block: `${baseNumber}`,
    origin: {
      ...origin,
      hashAt: async (number) => {
        asked.push(number);
        return origin.hashAt(number);
      },
      header: async (hash) => {
        asked.push(bytesToHex(hash));
        return origin.header(hash);
      },
    },
  });
  asked.length = 0;
  const listed: string[] = [];
  for (let number = baseNumber - 1; number >= baseNumber - 4; number--) {
    const hash = await call<string>('chain_getBlockHash', number);
    expect(hash).toBe(await live.call('chain_getBlockHash', number));
    expect(await call('chain_getHeader', hash)).toEqual(await live.call('chain_getHeader', hash));
    listed.push(hash);
  }
  expect(asked).toEqual(listed);
  // Two heights further down, two headers are as few requests as a hash and its header.
  const below = await call<string>('chain_getBlockHash', baseNumber - 7);
  expect(below).toBe(await live.call('chain_getBlockHash', baseNumber - 7));
  expect(asked).toHaveLength(listed.length + 2);
  await node.close();
});

it('is followed by chainHead from its base on, also while the live chain is out of reach', async () => {
  const { origin, fail } = watched();
  const { node } = await openForkOf(live.node, { block: `${baseNumber}`, origin });
  fail();
  const wire = openWire(node);
  const { items } = await wire.follow('chainHead_v1_follow', false);
  await expect.poll(() => items.length).toBeGreaterThan(0);
  expect(items[0]).toMatchObject({
    event: 'initialized',
    finalizedBlockHashes: [node.parts.chain.base.hash],
  });
  wire.close();
  const error = await rejection(node.parts.chain.withState(node.parts.chain.base.hash, () => 0));
  expect(error).toBeNull();
  await node.close();
});
