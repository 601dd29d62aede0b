import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeConfig } from '../../src/protocol/node.ts';
import { openApi } from '../../test/api.ts';
import { createTestPlatform, testConfig } from '../../test/platform.ts';
import { connectRpc } from '../../test/rpc.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { encodeHeader, type Header } from '../codec/header.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Database } from '../db/database.ts';
import { createMemoryDatabase } from '../db/memory.ts';
import { createNode, type Node, type Platform } from '../node.ts';

const runsKey = bytesToHex(new TextEncoder().encode('tabnode::observer::runs'));
const indexKey = (name: string): string =>
  bytesToHex(new TextEncoder().encode(`tabnode::observer::index::${name}`));

/** A disk that answers late, as IndexedDB does. */
const createSlowDisk = (): Database => {
  const { getSync: _none, ...disk } = createMemoryDatabase();
  return { ...disk, close: async () => undefined };
};

/** How long the runtime's observer waits for an answer (FETCH_TIMEOUT_MS of crates/runtime). */
const workerDeadlineMs = 2000;

/** Time that passes when the test says so; what is due at once runs at once. */
const createManualTime = (startMs: number) => {
  let nowMs = startMs;
  const timers = new Set<{ readonly dueMs: number; readonly run: () => void }>();
  const schedule: Platform['schedule'] = (ms, run) => {
    if (ms === 0) {
      const immediate = setImmediate(run);
      return () => clearImmediate(immediate);
    }
    const timer = { dueMs: nowMs + ms, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const advance = (ms: number): void => {
    nowMs += ms;
    for (const timer of [...timers].sort((a, b) => a.dueMs - b.dueMs))
      if (timer.dueMs <= nowMs && timers.delete(timer)) timer.run();
  };
  return { now: () => nowMs, schedule, advance };
};

const open = async (changes: Partial<NodeConfig> = {}, platform: Partial<Platform> = {}) => {
  const base = createTestPlatform();
  const node = await createNode(
    { ...base, ...platform },
    testConfig('development', { finality: { kind: 'manual' }, ...changes }),
  );
  return { node, errors: base.errors, ...connectRpc(node) };
};

const seal = async (node: Node): Promise<BlockHash> => {
  const result = await node.parts.author.seal({ createEmpty: true, finalize: false });
  if (!result.ok) throw new Error(result.message);
  return result.hash;
};

/** Alice, who has sudo, sends a call of the observer; it waits in the pool. */
const sendAsAlice = async (node: Node, make: (tx: never) => unknown): Promise<void> => {
  const { api, close } = await openApi(node);
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const call = make(api.tx as never) as {
    signAsync(by: unknown, o: object): Promise<{ send(): Promise<unknown> }>;
  };
  await (await call.signAsync(alice, { nonce: -1 })).send();
  await close();
};

type Settings = { interval: number; url?: string };
const observe = (node: Node, settings: Settings): Promise<void> =>
  sendAsAlice(node, (tx: any) => tx.sudo.sudo(tx.observer.observe(settings)));

type Report = {
  block: number;
  runs: number;
  timeMs: number;
  fetched: { status: number; bodyBytes: number } | null;
};
const latestReport = async (node: Node): Promise<Report | null> => {
  const { api, close } = await openApi(node);
  const value = (await (api.query as any).observer.latest()).toJSON() as Report | null;
  await close();
  return value;
};

beforeAll(async () => {
  await cryptoWaitReady();
});

describe('offchain workers', () => {
  it.each([
    ['a disk that answers at once', {}],
    ['a cache of one trie node over a slow disk', { cacheNodes: 1, isSlow: true }],
  ] as const)(
    'report once per best block, and count their runs: %s',
    async (_name, given) => {
      const { isSlow, ...platform } = { isSlow: false, ...given };
      const db = createSlowDisk();
      const places = isSlow ? { ...platform, openDatabase: async () => db } : platform;
      let { node, call, errors } = await open({}, places);
      await observe(node, { interval: 1 });
      await seal(node);
      for (let block = 1; block <= 5; block++) {
        await node.parts.offchain.idle();
        // The report of this block, from the pool: taken from a local source, it would be refused from outside.
        expect(node.parts.pool.readyCount()).toBe(1);
        expect(await call('offchain_localStorageGet', 'PERSISTENT', runsKey)).toBe(
          `0x${block.toString(16).padStart(2, '0')}00000000000000`,
        );
        if (block === 3 && isSlow) {
          // Everything in memory is forgotten; the report in the pool as well.
          const pending = node.parts.pool.pending();
          await node.close();
          expect(errors).toEqual([]);
          ({ node, call, errors } = await open({}, places));
          for (const extrinsic of pending) expect((await node.parts.pool.submit(extrinsic, 1)).ok).toBe(true);
        }
        await seal(node);
        expect(await latestReport(node)).toMatchObject({ block, runs: block - 1, fetched: null });
      }
      await node.parts.offchain.idle();
      expect(errors).toEqual([]);
      await node.close();
    },
    60_000,
  );

  it.each([
    ['when-authority', ['//Alice'], true],
    ['when-authority', [], false],
    ['always', [], true],
    ['never', ['//Alice'], false],
  ] as const)(
    'run as the mode says: %s, keys %j',
    async (offchainWorkers, keys, runs) => {
      const author = await open();
      await observe(author.node, { interval: 1 });
      const hash = await seal(author.node);
      const block = await author.node.parts.chain.loadBlock(hash);
      if (block === null) throw new Error('no block');
      const other = await open({ offchainWorkers, keys });
      expect((await other.node.parts.chain.import(block)).ok).toBe(true);
      await other.node.parts.offchain.idle();
      const ran = await other.call('offchain_localStorageGet', 'PERSISTENT', runsKey);
      expect(ran).toBe(runs ? '0x0100000000000000' : null);
      // A report that may not be handed on is of no use to a node that authors nothing.
      expect(other.node.parts.pool.readyCount()).toBe(runs && keys.length > 0 ? 1 : 0);
      await author.node.close();
      await other.node.close();
    },
    30_000,
  );

  it('do not run for old blocks of a file', async () => {
    const author = await open();
    await observe(author.node, { interval: 1 });
    const block = await author.node.parts.chain.loadBlock(await seal(author.node));
    const other = await open();
    await other.node.importBlock({
      header: bytesToHex(encodeHeader(block?.header as Header)),
      extrinsics: (block?.extrinsics ?? []).map(bytesToHex),
    });
    await other.node.parts.offchain.idle();
    expect(await other.call('offchain_localStorageGet', 'PERSISTENT', runsKey)).toBeNull();
    await author.node.close();
    await other.node.close();
  }, 30_000);

  it('run for a block that becomes best, not for one beside it', async () => {
    // Slots by the clock decide who claims a block, and so which of two branches is heavier.
    const { node, call } = await open({}, { now: () => 1_750_000_000_000 });
    await observe(node, { interval: 1 });
    const first = await seal(node);
    await seal(node);
    await node.parts.offchain.idle();
    const before = await call('offchain_localStorageGet', 'PERSISTENT', runsKey);
    expect(before).toBe('0x0200000000000000');
    const side = await node.parts.author.seal({ createEmpty: true, finalize: false, parent: first });
    if (!side.ok) throw new Error(side.message);
    await node.parts.offchain.idle();
    expect(node.parts.chain.best().hash).not.toBe(side.hash);
    expect(await call('offchain_localStorageGet', 'PERSISTENT', runsKey)).toBe(before);
    await node.close();
  }, 30_000);
});

describe('offchain indexing', () => {
  it.each([true, false])(
    'is kept when it is on (%s)',
    async (offchainIndexing) => {
      const { node, call } = await open({ offchainIndexing });
      // Read before, so that a cache would hold that nothing is there.
      expect(await call('offchain_localStorageGet', 'PERSISTENT', indexKey('k'))).toBeNull();
      await sendAsAlice(node, (tx: any) => tx.observer.storeOffchain('k', '0x0102'));
      expect(await call('offchain_localStorageGet', 'PERSISTENT', indexKey('k'))).toBeNull();
      await seal(node);
      expect(await call('offchain_localStorageGet', 'PERSISTENT', indexKey('k'))).toBe(
        offchainIndexing ? '0x0102' : null,
      );
      await node.close();
    },
    30_000,
  );

  it('is seen through the cache of a disk that answers late', async () => {
    const { node, call } = await open(
      { offchainIndexing: true },
      { openDatabase: async () => createSlowDisk() },
    );
    expect(await call('offchain_localStorageGet', 'PERSISTENT', indexKey('k'))).toBeNull();
    await sendAsAlice(node, (tx: any) => tx.observer.storeOffchain('k', '0x0102'));
    await seal(node);
    expect(await call('offchain_localStorageGet', 'PERSISTENT', indexKey('k'))).toBe('0x0102');
    await node.close();
  }, 30_000);
});

describe('http of offchain workers', () => {
  const asked: string[] = [];
  /** Resolves when the server was asked for a path so many times. */
  const askedTimes = async (path: string, times: number): Promise<void> => {
    while (asked.filter((one) => one === path).length < times) await once(server, 'request');
  };
  const answers: Record<string, () => { status: number; headers?: Record<string, string>; body: string }> = {
    '/ok': () => ({ status: 200, body: 'twelve bytes' }),
    '/long': () => ({ status: 201, body: 'x'.repeat(100_000) }),
    '/away': () => ({ status: 302, headers: { location: 'http://localhost:1/' }, body: '' }),
  };
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const answer = answers[request.url ?? '']?.();
    // No answer at all: the worker's own deadline ends the wait.
    if (answer === undefined) return;
    response.writeHead(answer.status, answer.headers);
    response.end(answer.body);
  });
  let origin = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const fetchOnce = async (path: string, allowed: readonly string[]): Promise<Report['fetched']> => {
    asked.length = 0;
    const { node, errors } = await open({ offchainHttp: allowed });
    await observe(node, { interval: 1, url: `${origin}${path}` });
    await seal(node);
    await node.parts.offchain.idle();
    expect(errors).toEqual([]);
    await seal(node);
    const report = await latestReport(node);
    expect(report?.block).toBe(1);
    await node.close();
    return report?.fetched ?? null;
  };

  it('is refused without the allow-list, and nothing is sent', async () => {
    expect(await fetchOnce('/ok', [])).toBeNull();
    expect(await fetchOnce('/ok', ['http://127.0.0.1', `${origin}0`])).toBeNull();
    expect(asked).toEqual([]);
  }, 30_000);

  it('asks an allowed origin, once per run, for head and body', async () => {
    expect(await fetchOnce('/ok', [origin])).toEqual({ status: 200, bodyBytes: 12 });
    // The second seal ran the worker of block 2, which close() gives up or which came through.
    expect(asked.filter((path) => path === '/ok').length).toBeLessThanOrEqual(2);
    expect(await fetchOnce('/long', [origin])).toEqual({ status: 201, bodyBytes: 100_000 });
  }, 30_000);

  it('does not follow where a redirect leads', async () => {
    expect(await fetchOnce('/away', [origin])).toEqual({ status: 302, bodyBytes: 0 });
  }, 30_000);

  it('a server that never answers ends with the deadline of the worker, and imports go on meanwhile', async () => {
    asked.length = 0;
    const time = createManualTime(1_750_000_000_000);
    const { node, errors } = await open({ offchainHttp: [origin] }, time);
    await observe(node, { interval: 1, url: `${origin}/never` });
    await seal(node);
    for (let block = 0; block < 5; block++) await seal(node);
    expect(node.parts.chain.best().number).toBe(6);
    expect(await latestReport(node)).toBeNull();
    // Each block's worker has sent its request, and so waits for its deadline.
    await askedTimes('/never', 6);
    expect(node.parts.pool.readyCount()).toBe(0);
    time.advance(workerDeadlineMs - 1);
    await new Promise(setImmediate);
    expect(node.parts.pool.readyCount()).toBe(0);
    time.advance(1);
    await node.parts.offchain.idle();
    await seal(node);
    expect((await latestReport(node))?.fetched).toBeNull();
    expect(errors).toEqual([]);
    await node.close();
  }, 30_000);

  it('closing the node gives up what waits', async () => {
    const { node, errors } = await open({ offchainHttp: [origin] });
    await observe(node, { interval: 1, url: `${origin}/never` });
    asked.length = 0;
    await seal(node);
    await askedTimes('/never', 1);
    await node.close();
    expect(errors).toEqual([]);
  }, 30_000);
});
