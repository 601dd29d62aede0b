import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ForkOptions, ForkProvider } from './fork-source.ts';
import { startNode, type TabNode } from './index.ts';
import { sharedNodes } from './protocol/chain-id.ts';

// Two workers of a page with forks of one live chain, and the database of the browser that they share.

// A test that shares the process may have put a fake IndexedDB there.
const it = test.skipIf(!('location' in globalThis));

let live: TabNode;
let base: string;
beforeAll(async () => {
  live = await startNode({ seal: 'manual' });
  for (let block = 0; block < 3; block++)
    await live.rpc.engine_createBlock({ create_empty: true, finalize: true });
  base = String(await live.rpc.chain_getBlockHash({ hash: 2 }));
}, 60_000);

const names: string[] = [];
const remove = (name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });
afterAll(async () => {
  await live.stop();
  if ('location' in globalThis) await Promise.all([...names, sharedNodes].map(remove));
});

/** The live chain as a provider. `requests`: how many it got. */
const connect = () => {
  const counted = { requests: 0 };
  const provider: ForkProvider = (onMessage) => {
    const opening = live.openPort({ dialect: 'polkadot-sdk' });
    void opening.then((port) => {
      port.onmessage = ({ data }: MessageEvent<string | string[]>) => {
        for (const text of [data].flat()) onMessage(text);
      };
    });
    return {
      send: (message: unknown) => {
        counted.requests += 1;
        void opening.then((port) => port.postMessage(message));
      },
      disconnect: () => void opening.then((port) => port.close()),
    };
  };
  return { provider, counted };
};

const start = (fork: ForkOptions): Promise<TabNode> => {
  const name = `fork-shared-${names.length}`;
  names.push(name);
  return startNode({ fork, seal: 'manual', keys: [], storage: { kind: 'indexeddb', name } });
};
/** Builds a block; the hash is the same on each fork, because nobody seals it. */
const build = async (node: TabNode): Promise<string> =>
  (await node.rpc.engine_createBlock({ create_empty: true, finalize: true })).hash;

it('a new fork opens and builds without the network, from what another one has read', async () => {
  const { provider, counted } = connect();
  const first = await start({ provider, block: base });
  const built = await build(first);
  await first.stop();
  expect(counted.requests).toBeGreaterThan(5);
  const second = await start({ endpoints: [], offline: true, block: base });
  expect(second.info.base?.hash).toBe(base);
  expect(await build(second)).toBe(built);
  const { fork } = await second.status();
  expect(fork).toMatchObject({ endpoints: [], requests: 0 });
  expect(fork?.shared?.found).toBeGreaterThan(20);
  await second.stop();
  await expect(start({ endpoints: [], offline: true, block: `0x${'12'.repeat(32)}` })).rejects.toMatchObject({
    code: 'NotCached',
  });
}, 60_000);

it('is deleted while two forks use it: they go on, and use it again', async () => {
  const sources = [connect(), connect()];
  const forks = await Promise.all(sources.map(({ provider }) => start({ provider, block: base })));
  const [one, other] = await Promise.all(forks.map(build));
  expect(one).toBe(other);
  await remove(sharedNodes);
  const [next, same] = await Promise.all(forks.map(build));
  expect(next).toBe(same);
  for (const node of forks) {
    // What only this reads, so that it is written to the new database.
    await node.rpc.state_getKeysPaged({ prefix: '0x', count: 1000 });
    expect((await node.status()).fork?.lies).toBe(0);
    await node.stop();
  }
  expect((await indexedDB.databases()).map(({ name }) => name)).toContain(sharedNodes);
}, 60_000);
