import { afterEach, expect, test } from 'vitest';
import { createRandom } from '../../../test/rigs/random.ts';
import type { BlockRef } from '../../chain/tree.ts';
import { encodeBlockRequest } from '../protocol/block-request.ts';
import { reputationChanges } from '../reputation-changes.ts';
import {
  bad,
  createMadeUpChain,
  crypto,
  type MadeUpChain,
  makeBlock,
  untimely,
} from './made-up-chain.fixture.ts';
import { createBlockServer } from './server.ts';
import { createSync, type Sync } from './sync.ts';

type Respond = (bytes: Uint8Array) => Promise<Uint8Array | null>;

let opened: Sync[] = [];
afterEach(async () => {
  for (const sync of opened) await sync.close();
  opened = [];
});

const fail = (error: unknown): never => {
  throw error;
};

/** A node that syncs with peers, whose responses a test may change. */
const createWorld = (own: MadeUpChain, maxBlocks = 64, onError = fail as (error: unknown) => void) => {
  const peers = new Map<string, Respond>();
  const punished: [string, number][] = [];
  const timers: (() => void)[] = [];
  let asked = 0;
  const sync = createSync({
    chain: own.chain,
    crypto,
    isSyncing: () => false,
    rate: () => undefined,
    punish: (id, change) => {
      punished.push([id, change]);
      leave(id);
    },
    request: async (id, request) => {
      if (++asked > 20_000) throw new Error('there is no end of requests');
      const response = await peers.get(id)?.(encodeBlockRequest(request));
      if (response == null) throw new Error('no response');
      return response;
    },
    schedule: (_ms, run) => {
      timers.push(run);
      return () => undefined;
    },
    limits: () => ({ maxBlocks, maxParallel: 5 }),
    onError,
  });
  opened.push(sync);
  const leave = (id: string): void => {
    peers.delete(id);
    sync.removePeer(id);
  };
  const join = (
    id: string,
    { chain }: MadeUpChain,
    change: (respond: Respond) => Respond = (same) => same,
  ) => {
    const server = createBlockServer({ chain, now: () => 0, rate: () => undefined, onError: fail });
    // A server of its own for each request, because these may repeat.
    let count = 0;
    peers.set(
      id,
      change((bytes) => server.serve(`${id} ${count++}`, bytes)),
    );
    sync.addPeer(id, chain.best());
  };
  /** Lets everything happen that needs no timer. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
  };
  const reach = async (height: number): Promise<void> => {
    await expect.poll(() => own.tree.best().number, { timeout: 10_000, interval: 1 }).toBe(height);
  };
  const fire = (): void => {
    for (const run of timers.splice(0)) run();
  };
  return { sync, join, leave, punished, settle, reach, fire, asked: () => asked };
};

test('a new node takes a long chain from several peers, in order', async () => {
  const [own, other] = [createMadeUpChain(), createMadeUpChain()];
  other.grow(other.tree.best(), 1500, 1);
  const { join, reach, punished } = createWorld(own);
  for (const id of ['a', 'b', 'c']) join(id, other);
  await reach(1500);
  expect(own.canonical()).toEqual(other.canonical());
  expect(own.imported.map(({ number }) => number)).toEqual(Array.from({ length: 1500 }, (_, at) => at + 1));
  expect(punished).toEqual([]);
});

test('an announced block costs one request; a gap of some blocks one as well', async () => {
  const [own, other] = [createMadeUpChain(), createMadeUpChain()];
  for (const chain of [own, other]) chain.grow(chain.tree.best(), 100, 1);
  const { sync, join, reach, asked, settle } = createWorld(own);
  join('a', other);
  await settle();
  expect(asked()).toBe(0);
  for (const count of [1, 30]) {
    const { hash } = other.grow(other.tree.best(), count, 1);
    const before = asked();
    sync.announced('a', { header: other.headerOf(hash), isBest: true });
    await reach(other.tree.best().number);
    expect(asked() - before).toBe(1);
  }
});

test('forks of peers are taken, also such that are not longer, or deeper than one request', async () => {
  const [own, other] = [createMadeUpChain(), createMadeUpChain()];
  const common = other.grow(other.tree.best(), 50, 1);
  own.grow(own.tree.best(), 50, 1);
  own.grow(common, 10, 2);
  const { sync, join, reach, settle } = createWorld(own, 8);
  join('a', other);
  const short = other.grow(common, 5, 3);
  sync.announced('a', { header: other.headerOf(short.hash), isBest: true });
  await settle();
  expect(own.tree.get(short.hash)).not.toBeNull();
  expect(own.tree.best().number).toBe(60);
  const deep = other.grow(common, 40, 4);
  sync.announced('a', { header: other.headerOf(deep.hash), isBest: true });
  await reach(90);
  expect(own.tree.best().hash).toBe(deep.hash);
});

test('a chain that differs in a final block is not followed, and asked for once', async () => {
  const [own, other] = [createMadeUpChain(), createMadeUpChain()];
  const mine = own.grow(own.tree.best(), 20, 1);
  own.tree.finalize(mine.hash);
  other.grow(other.tree.best(), 200, 2);
  const { sync, join, settle, asked, punished } = createWorld(own);
  join('a', other);
  await settle();
  const before = asked();
  const { hash } = other.tree.best();
  for (let count = 0; count < 5; count++) sync.announced('a', { header: other.headerOf(hash), isBest: true });
  await settle();
  expect(asked()).toBe(before);
  expect([own.tree.best().number, punished]).toEqual([20, []]);
});

test('bad blocks and bad responses cost their sender its place, and others are asked', async () => {
  const honest = createMadeUpChain();
  honest.grow(honest.tree.best(), 300, 1);
  const evil = createMadeUpChain();
  const tip = evil.grow(evil.tree.best(), 320, 1);
  const wrong = makeBlock(tip, bad);
  const lies: Readonly<Record<string, readonly [(bytes: Uint8Array) => Uint8Array, number]>> = {
    empty: [() => new Uint8Array(0), reputationChanges.badResponse],
    nonsense: [(bytes) => bytes.map((byte) => byte ^ 0x55), reputationChanges.undecodable],
    truncated: [(bytes) => bytes.subarray(0, -1), reputationChanges.undecodable],
    twice: [(bytes) => Uint8Array.from([...bytes, ...bytes]), reputationChanges.badResponse],
  };
  for (const [name, [alter, change]] of Object.entries(lies)) {
    const own = createMadeUpChain();
    const { join, reach, punished } = createWorld(own);
    join(name, evil, (respond) => async (bytes) => alter((await respond(bytes)) as Uint8Array));
    join('honest', honest);
    await reach(300);
    expect(punished).toEqual([[name, change]]);
  }
  const own = createMadeUpChain();
  const { sync, join, reach, punished, fire } = createWorld(own);
  join('evil', evil, (respond) => async (bytes) => {
    const response = await respond(bytes);
    return response?.length === 0 ? Uint8Array.from([0x0a, 0]) : response;
  });
  join('honest', honest);
  await reach(320);
  sync.announced('evil', { header: wrong.block.header, isBest: true });
  await expect.poll(() => punished.length, { interval: 1 }).toBe(1);
  fire();
  expect(own.tree.best().number).toBe(320);
});

test('whatever peers have, and however they come and go, the longest chain is reached', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = createRandom(seed);
    const below = (limit: number): number => Math.floor(random() * limit);
    const own = createMadeUpChain();
    const chains: MadeUpChain[] = [];
    for (let count = 0; count < 4; count++) {
      const chain = createMadeUpChain();
      let tip: BlockRef = chain.tree.best();
      for (let part = 0; part < 3; part++)
        tip = chain.grow(tip, 1 + below(90), part === 2 ? 10 + count : part);
      chains.push(chain);
    }
    own.grow(own.tree.best(), below(60), below(2));
    const { sync, join, leave, reach, punished, fire } = createWorld(own, 1 + below(64));
    for (const [index, chain] of chains.entries()) join(`${index}`, chain);
    for (let turn = 0; turn < 6; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
      const index = below(chains.length);
      const chain = chains[index] as MadeUpChain;
      if (random() < 0.3) {
        leave(`${index}`);
        join(`${index}`, chain);
        continue;
      }
      const { hash } = chain.grow(chain.tree.best(), 1 + below(5), 20);
      sync.announced(`${index}`, { header: chain.headerOf(hash), isBest: true });
    }
    fire();
    const height = Math.max(own.tree.best().number, ...chains.map(({ tree }) => tree.best().number));
    await reach(height);
    expect(punished).toEqual([]);
    await sync.close();
  }
});

test('blocks whose time has not come are kept until it has, and are not requested again', async () => {
  const [own, other] = [createMadeUpChain(), createMadeUpChain()];
  other.grow(other.grow(other.tree.best(), 5, 1), 10, untimely);
  const { join, reach, settle, fire, asked, punished } = createWorld(own);
  join('a', other);
  await reach(5);
  await settle();
  const before = asked();
  for (let count = 0; count < 5; count++) {
    fire();
    await settle();
  }
  expect(own.tree.best().number).toBe(5);
  own.clock.hasCome = true;
  fire();
  await reach(15);
  expect(asked()).toBe(before);
  expect(punished).toEqual([]);
});

test('blocks whose time does not come are given up after a minute, with a word about the clocks', async () => {
  const [own, other] = [createMadeUpChain(), createMadeUpChain()];
  other.grow(other.grow(other.tree.best(), 5, 1), 300, untimely);
  const errors: unknown[] = [];
  const { join, leave, reach, settle, fire } = createWorld(own, 64, (error) => void errors.push(error));
  join('a', other);
  await reach(5);
  for (let count = 0; count < 29; count++) {
    await settle();
    fire();
  }
  await settle();
  expect(errors).toEqual([]);
  leave('a');
  fire();
  await settle();
  expect(errors).toEqual([
    expect.objectContaining({ code: 'FutureBlock', message: expect.stringContaining('Compare the clocks') }),
  ]);
  fire();
  await settle();
  expect(errors).toHaveLength(1);
});

test('what waits is dropped when the node leaves', async () => {
  const [own, other] = [createMadeUpChain(), createMadeUpChain()];
  other.grow(other.tree.best(), 500, 1);
  const { sync, join, leave, reach, settle } = createWorld(own);
  const { import: importBlock } = own.chain;
  const importAndLeave: typeof importBlock = (block, options) => {
    if (block.header.number === 10) {
      leave('a');
      sync.drop();
    }
    return importBlock(block, options);
  };
  Object.assign(own.chain, { import: importAndLeave });
  join('a', other);
  await reach(10);
  await settle();
  expect(own.tree.best().number).toBe(10);
  join('b', other);
  await reach(500);
});
