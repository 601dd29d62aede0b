import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type NetworkContext, testingPairs, withExpect } from '../../src/testing/chopsticks.ts';
import { funded, nextRuntime, useLiveChain } from './networks.ts';

// The intents of chopsticks' e2e tests batch-request, block, build-block, chain, dev, http, migration, resume, time-travel and
// upgrade.

const { check, checkHex } = withExpect(expect);
const { alice } = testingPairs();
const live = useLiveChain();
const folder = mkdtempSync(join(tmpdir(), 'tabnode-chopsticks-db-'));
afterAll(() => rmSync(folder, { recursive: true }));

let network: NetworkContext;
beforeAll(async () => {
  network = await live.fork({ blockNumber: 4 });
}, 60_000);

const head = async ({ api }: NetworkContext = network): Promise<{ number: number; hash: string }> => {
  const header = await api.rpc.chain.getHeader();
  return { number: header.number.toNumber(), hash: header.hash.toHex() };
};
const timeOf = async ({ api }: NetworkContext = network): Promise<number> =>
  Number(await api.query['timestamp']?.['now']?.());

describe('block and build-block', () => {
  it('builds as many as are asked for, also at the same time', async () => {
    const { number } = await head();
    await network.dev.newBlock({ count: 3 });
    await network.dev.newBlock({ to: number + 5 });
    await Promise.all([network.dev.newBlock(), network.dev.newBlock(), network.dev.newBlock()]);
    expect((await head()).number).toBe(number + 8);
    expect((await network.chain.newBlock()).number).toBe(number + 9);
  });

  it('has another hash for another block of the same number', async () => {
    const { dev, api, chain } = network;
    await dev.setStorage(funded(alice.address));
    const { hash } = await head();
    const first = await chain.newBlock();
    await dev.setHead(hash);
    await api.tx['system']?.['remark']?.('test').signAndSend(alice);
    const second = await chain.newBlock();
    expect(second.number).toBe(first.number);
    expect(second.hash).not.toBe(first.hash);
  });

  it('builds the blocks below unsafeBlockHeight, without transactions, and refuses what is not ahead or too far', async () => {
    const { api, dev } = network;
    await dev.setStorage(funded(alice.address));
    const { number, hash } = await head();
    const height = number + 20;
    await api.tx['system']?.['remark']?.('at that number').signAndSend(alice);
    await dev.newBlock({ count: 2, unsafeBlockHeight: height });
    expect((await head()).number).toBe(height + 1);
    const sizes: number[] = [];
    for (let at = number + 1; at <= height + 1; at++) {
      const { block } = await api.rpc.chain.getBlock(await api.rpc.chain.getBlockHash(at));
      if (at === number + 1) expect(block.header.parentHash.toHex()).toBe(hash);
      sizes.push(block.extrinsics.length);
    }
    // The inherent of the time, and the remark in the block of that number.
    expect(sizes).toEqual([...Array<number>(19).fill(1), 2, 1]);
    await expect(dev.newBlock({ unsafeBlockHeight: number })).rejects.toThrow(
      '1: unsafeBlockHeight must be greater than current block height',
    );
    await expect(dev.newBlock({ unsafeBlockHeight: 17_855_999, count: 3 })).rejects.toThrow(
      'more than 10000 blocks ahead',
    );
    expect((await head()).number).toBe(height + 1);
  });
});

describe('chain', () => {
  it('knows blocks of the live chain and its own by number and hash', async () => {
    const { api, ws } = network;
    const best = await head();
    await checkHex(api.rpc.chain.getBlockHash()).toMatch(best.hash);
    await checkHex(api.rpc.chain.getFinalizedHead()).toMatch(best.hash);
    expect(await ws.send('chain_getBlockHash', [[0, best.number]])).toEqual([
      api.genesisHash.toHex(),
      best.hash,
    ]);
    const two = await ws.send<string>('chain_getBlockHash', ['0x02']);
    await check(api.rpc.chain.getHeader(two)).toMatchObject({ number: 2 });
    await check(api.rpc.chain.getBlock(two)).toMatchObject({ block: { header: { number: 2 } } });
  });

  it('notifies of new heads until nobody listens', async () => {
    const { api, dev } = network;
    const seen: number[] = [];
    let seeNext = (): void => undefined;
    const unsubscribe = await api.rpc.chain.subscribeNewHeads(({ number }) => {
      seen.push(number.toNumber());
      seeNext();
    });
    const next = new Promise<void>((resolve) => {
      seeNext = resolve;
    });
    const { number } = await head();
    await dev.newBlock();
    await next;
    await expect.poll(() => seen).toContain(number + 1);
    unsubscribe();
    const count = seen.length;
    await dev.newBlock();
    await api.rpc.chain.getHeader();
    expect(seen).toHaveLength(count);
  });
});

describe('dev', () => {
  it('setHead by hash, number and offset', async () => {
    const { dev } = network;
    const before = await head();
    await dev.newBlock({ count: 3 });
    expect(await dev.setHead(before.hash)).toBe(before.hash);
    expect((await head()).hash).toBe(before.hash);
    await dev.setHead(before.number - 2);
    await dev.setHead(-1);
    expect((await head()).number).toBe(before.number - 3);
  });

  it('setStorage by key, to nothing, and with errors that name what is missing', async () => {
    const { api, dev } = network;
    const key = api.query['sudo']?.['key']?.key() ?? '';
    await dev.setStorage([[key, `0x${'07'.repeat(32)}`]]);
    await checkHex(api.query['sudo']?.['key']?.()).toMatch(`0x${'07'.repeat(32)}`);
    const hash = await dev.newBlock();
    await dev.setStorage([[key, null]], hash);
    expect((await api.query['sudo']?.['key']?.())?.isEmpty).toBe(true);
    await expect(dev.setStorage({ SSystem: { Account: [] } })).rejects.toThrow('no pallet SSystem');
    await expect(dev.setStorage({ System: { AAccount: [] } })).rejects.toThrow(
      'no storage item System.AAccount',
    );
  });

  it('timeTravel by a date, from which blocks go on', async () => {
    const { dev } = network;
    for (const date of ['Nov 30, 2050', 'Jan 1, 2051']) {
      expect(await dev.timeTravel(date)).toBe(Date.parse(date));
      await dev.newBlock();
      const first = await timeOf();
      expect(first).toBeGreaterThanOrEqual(Date.parse(date));
      await dev.newBlock();
      const slotMs = Number(network.api.consts['babe']?.['expectedBlockTime']);
      expect(await timeOf()).toBe(first + slotMs);
    }
  });
});

describe('http and batch-request', () => {
  const post = async (body: object): Promise<unknown> => {
    const response = await fetch(network.url.replace('ws:', 'http:'), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };
  const request = (method: string, id: unknown = 1, params: unknown[] = []) => ({
    jsonrpc: '2.0',
    id,
    method,
    params,
  });

  it('answers over the same port', async () => {
    const { hash } = await head();
    expect(await post(request('chain_getBlockHash', 'lorem ipsum'))).toEqual({
      jsonrpc: '2.0',
      id: 'lorem ipsum',
      result: hash,
    });
    expect(await post(request('system_invalid'))).toMatchObject({ id: 1, error: { code: -32601 } });
    expect(await post(request('chain_subscribeNewHeads'))).toMatchObject({ id: 1, error: expect.anything() });
  });

  it('answers a batch in order, errors included', async () => {
    const socket = new WebSocket(network.url);
    await new Promise((resolve) => socket.once('open', resolve));
    const answer = new Promise<unknown>((resolve) => {
      socket.once('message', (data) => resolve(JSON.parse(String(data))));
    });
    socket.send(JSON.stringify([request('chain_getBlockHash', 2, [0]), request('not_found', 3, [''])]));
    expect(await answer).toMatchObject([
      { id: 2, result: network.api.genesisHash.toHex() },
      { id: 3, error: { code: -32601 } },
    ]);
    socket.close();
  });
});

describe('resume', () => {
  it('goes on with the newest block in db, or with one by number or hash', async () => {
    const db = join(folder, 'db.sqlite');
    const options = { db, blockNumber: 3 };
    const build = await live.fork(options);
    const first = await build.chain.newBlock();
    const second = await build.chain.newBlock();
    await build.teardown();
    for (const [resume, wanted] of [
      [true, second],
      [first.number, first],
      [second.hash, second],
    ] as const) {
      const fork = await live.fork({ ...options, resume });
      expect(await head(fork)).toMatchObject(wanted);
      await fork.teardown();
    }
  }, 60_000);
});

describe('db', () => {
  it('is used by several forks at the same time', async () => {
    const option = { db: join(folder, 'shared.sqlite'), blockNumber: 3 };
    const forks = await Promise.all([live.fork(option), live.fork(option)]);
    for (const fork of forks) {
      await fork.dev.newBlock();
      expect(await head(fork)).toMatchObject({ number: 4 });
    }
    for (const fork of forks) await fork.teardown();
    // What they have read is there for the next one.
    const next = await live.fork(option);
    const status = await next.ws.send<{ fork: { shared: { found: number } | null } }>('dev_status', []);
    expect(status.fork.shared).not.toBeNull();
    await next.teardown();
  });
});

describe('migration and upgrade', () => {
  it('wasmOverride: the first block runs the migrations', async () => {
    const { api, chain } = await live.fork({ wasmOverride: nextRuntime });
    const version = async () => (await api.rpc.state.getRuntimeVersion()).specVersion.toNumber();
    const stored = async (): Promise<unknown> =>
      (await api.query['system']?.['lastRuntimeUpgrade']?.())?.toJSON();
    expect(await version()).toBeGreaterThan(101);
    await chain.newBlock();
    expect(await stored()).toMatchObject({ specVersion: await version() });
  });

  it('setCode: the runtime upgrades itself, and blocks go on', async () => {
    const fork = await live.fork();
    const { api, dev } = fork;
    await dev.setStorage({ ...funded(alice.address), Sudo: { Key: alice.address } });
    const before = api.runtimeVersion.specVersion.toNumber();
    const code = `0x${readFileSync(nextRuntime).toString('hex')}`;
    const set = api.tx['system']?.['setCode']?.(code);
    await api.tx['sudo']?.['sudoUncheckedWeight']?.(set, { refTime: 0, proofSize: 0 }).signAndSend(alice);
    await dev.newBlock({ count: 2 });
    await expect.poll(() => api.runtimeVersion.specVersion.toNumber()).toBeGreaterThan(before);
    await api.tx['system']?.['remark']?.('after').signAndSend(alice);
    const { number } = await head(fork);
    await dev.newBlock({ count: 3 });
    expect((await head(fork)).number).toBe(number + 3);
  });
});
