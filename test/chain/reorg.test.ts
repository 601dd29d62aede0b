import { Keyring } from '@polkadot/keyring';
import { cryptoWaitReady } from '@polkadot/util-crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChainEvent } from '../../worker/chain/events.ts';
import type { Header } from '../../worker/codec/header.ts';
import type { BlockHash, ExtrinsicHash } from '../../worker/codec/identity.ts';
import { headerPreDigest } from '../../worker/consensus/babe/codec.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { openApi } from '../rigs/api.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

type Sealed = { readonly hash: BlockHash; readonly number: number; readonly included: number };

let node: Node;
let db: Database;
let events: ChainEvent[];
// A fixed wall clock gives the same slots in each run, and therefore the same primary ones, which decide
// between branches.
const platform = () => createTestPlatform({ db, now: () => 1_750_000_000_000 });
const config = testConfig('development', { finality: { kind: 'manual' } });

beforeEach(async () => {
  await cryptoWaitReady();
  db = { ...createMemoryDatabase(), close: async () => undefined };
  node = await createNode(platform(), config);
  events = [];
  node.parts.chain.onEvent((event) => events.push(event));
});
afterEach(() => {
  vi.useRealTimers();
  return node.close();
});

const sealOn = async (parent?: BlockHash): Promise<Sealed> => {
  const result = await node.parts.author.seal({
    createEmpty: true,
    finalize: false,
    ...(parent === undefined ? {} : { parent }),
  });
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result;
};

const signRemark = async (text: string, nonce = 0): Promise<Uint8Array> => {
  const { api, close } = await openApi(node);
  const alice = new Keyring({ type: 'sr25519' }).addFromUri('//Alice');
  const signed = await api.tx['system']?.['remarkWithEvent']?.(text).signAsync(alice, { nonce, era: 0 });
  if (signed === undefined) throw new Error('no remark call');
  const bytes = signed.toU8a();
  await close();
  return bytes;
};

const submit = async (extrinsic: Uint8Array): Promise<ExtrinsicHash> => {
  const result = await node.parts.pool.submit(extrinsic, 2);
  if (!result.ok) throw new Error(result.reason);
  return result.hash;
};

const primaries = async (from: BlockHash, down: BlockHash): Promise<number> => {
  let count = 0;
  for (let hash = from; hash !== down; ) {
    const header = (await node.parts.chain.loadHeader(hash)) as Header;
    if (headerPreDigest(header)?.kind === 'primary') count++;
    hash = `0x${Buffer.from(header.parentHash).toString('hex')}` as string as BlockHash;
  }
  return count;
};

const holds = async (hash: BlockHash, extrinsic: Uint8Array): Promise<boolean> => {
  const block = await node.parts.chain.loadBlock(hash);
  return block?.extrinsics.some((item) => Buffer.from(item).equals(extrinsic)) ?? false;
};

/** Seals until no single competing block can win: one block of this branch is primary. */
const sealUntilHeavy = async (trunk: BlockHash): Promise<BlockHash> => {
  const { chain } = node.parts;
  while ((await primaries(chain.best().hash, trunk)) === 0) await sealOn();
  return chain.best().hash;
};

/** One block with a transaction on a common trunk, then empty competing blocks until they win. */
const fork = async () => {
  const trunk = await sealOn();
  const extrinsic = await signRemark('on the first branch');
  const hash = await submit(extrinsic);
  const statuses: string[] = [];
  node.parts.pool.watch(hash, (status) => statuses.push(status.kind));
  const first = await sealOn();
  expect(first.included).toBe(1);
  expect(node.parts.pool.pending()).toEqual([]);
  events.length = 0;
  const second: Sealed[] = [];
  // The second branch starts a slot later, because in the same slot it would differ only in its body.
  let parent = trunk.hash;
  for (let length = 1; node.parts.chain.best().hash === first.hash; length++) {
    if (length > 60) throw new Error('the second branch never won');
    const sealed = await sealOn(parent);
    second.push(sealed);
    parent = sealed.hash;
    const weights = [
      await primaries(first.hash, trunk.hash),
      await primaries(sealed.hash, trunk.hash),
    ] as const;
    const wins = weights[1] > weights[0] || (weights[1] === weights[0] && sealed.number > first.number);
    expect(node.parts.chain.best().hash).toBe(wins ? sealed.hash : first.hash);
  }
  await node.parts.pool.idle();
  return { trunk, extrinsic, hash, first, second, statuses };
};

describe('two branches', () => {
  it('the one with more primary slots, then the longer one, is best; heights refer to it', async () => {
    const { trunk, first, second } = await fork();
    const { chain } = node.parts;
    expect(await chain.loadHashAt(trunk.number)).toBe(trunk.hash);
    for (const block of second) expect(await chain.loadHashAt(block.number)).toBe(block.hash);
    expect(await chain.loadHashAt(second.length + trunk.number + 1)).toBeNull();
    const turn = events.find((event) => event.kind === 'imported' && event.isBest);
    expect(turn).toMatchObject({ retracted: [first.hash], enacted: second.map(({ hash }) => hash) });
    expect(await chain.loadBlock(first.hash)).not.toBeNull();
    expect(chain.finalized().number).toBe(0);
  }, 60_000);

  it('a transaction of the abandoned branch returns to the pool and is in the next block', async () => {
    const { extrinsic, statuses, second } = await fork();
    await expect.poll(() => node.parts.pool.pending()).toEqual([extrinsic]);
    expect(statuses).toContain('retracted');
    const next = await sealOn();
    expect(next).toMatchObject({ included: 1, number: (second.at(-1) as Sealed).number + 1 });
    expect(await holds(next.hash, extrinsic)).toBe(true);
    expect(node.parts.pool.pending()).toEqual([]);
    await node.parts.chain.finalize(next.hash);
    await expect.poll(() => statuses.at(-1)).toBe('finalized');
  }, 60_000);

  it('a block is built before the pool is rechecked, and keeps a transaction that is tried too early', async () => {
    const trunk = await sealOn();
    const [first, second] = [await signRemark('retracted'), await signRemark('follows it', 1)];
    await submit(first);
    expect((await sealOn()).included).toBe(1);
    const lost = await sealUntilHeavy(trunk.hash);
    const statuses: string[] = [];
    node.parts.pool.watch(await submit(second), (status) => statuses.push(status.kind));
    // Rechecks start when a timer fires.
    vi.useFakeTimers({ toFake: ['setTimeout'] });
    for (let parent = trunk.hash, length = 1; node.parts.chain.best().hash === lost; length++) {
      if (length > 60) throw new Error('the second branch never won');
      const result = await node.parts.author.seal({
        createEmpty: true,
        finalize: false,
        parent,
        transactions: [],
      });
      if (!result.ok) throw new Error(result.message);
      parent = result.hash;
    }
    // It was accepted when it had no dependencies, and before the one it now depends on.
    expect(node.parts.pool.pending()).toEqual([second, first]);
    expect((await sealOn()).included).toBe(1);
    expect(node.parts.pool.pending()).toEqual([second]);
    // Timers run as long as the rechecks take, which is longer on a busy machine than any number of timers.
    for (let turn = 0; turn < 20; turn++) await vi.advanceTimersToNextTimerAsync();
    let isIdle = false;
    void node.parts.pool.idle().then(() => {
      isIdle = true;
    });
    while (!isIdle) await vi.advanceTimersToNextTimerAsync();
    vi.useRealTimers();
    expect(node.parts.pool.pending()).toEqual([second]);
    expect((await sealOn()).included).toBe(1);
    expect(statuses).toEqual(['ready', 'inBlock']);
  }, 60_000);

  it('the abandoned branch becomes best when finalized, and the other is pruned, also after a restart', async () => {
    const { first, second, extrinsic } = await fork();
    const { chain } = node.parts;
    await chain.finalize(first.hash);
    expect(chain.finalized().hash).toBe(first.hash);
    expect(chain.best().hash).toBe(first.hash);
    expect(await chain.loadHashAt(first.number)).toBe(first.hash);
    expect(await chain.loadHashAt(first.number + 1)).toBeNull();
    for (const block of second) {
      expect(await chain.loadBlock(block.hash)).toBeNull();
      expect(await chain.loadHeader(block.hash)).toBeNull();
    }
    const final = events.find((event) => event.kind === 'finalized');
    expect(final).toMatchObject({ hash: first.hash });
    expect(final?.kind === 'finalized' ? [...final.pruned].sort() : []).toEqual(
      second.map(({ hash }) => hash).sort(),
    );
    await expect(sealOn((second[0] as Sealed).hash)).rejects.toThrow();
    await expect.poll(() => node.parts.pool.pending()).toEqual([]);
    await node.close();
    node = await createNode(platform(), config);
    expect(node.parts.chain.best().hash).toBe(first.hash);
    expect(node.parts.chain.finalized().hash).toBe(first.hash);
    expect(await holds(first.hash, extrinsic)).toBe(true);
    expect((await sealOn()).number).toBe(first.number + 1);
  }, 60_000);

  it('a best block moved only by finality is reported as finalized, not as a new head', async () => {
    const trunk = await sealOn();
    await sealOn();
    await sealUntilHeavy(trunk.hash);
    const target = await sealOn(trunk.hash);
    const { api, close } = await openApi(node);
    const heads: string[] = [];
    const off = await api.rpc.chain.subscribeNewHeads((head) => {
      heads.push(head.hash.toHex());
    });
    const final: string[] = [];
    const offFinal = await api.rpc.chain.subscribeFinalizedHeads((head) => {
      final.push(head.hash.toHex());
    });
    await node.parts.chain.finalize(target.hash);
    expect(node.parts.chain.best().hash).toBe(target.hash);
    const next = await sealOn();
    await expect.poll(() => heads.slice(1)).toEqual([next.hash]);
    expect(final.slice(1)).toEqual([target.hash]);
    off();
    offFinal();
    await close();
  }, 60_000);

  it('transactions of the pruned branch return to the pool before its blocks are deleted', async () => {
    const trunk = await sealOn();
    const extrinsic = await signRemark('on the branch that is cut off');
    await submit(extrinsic);
    const top = await sealOn();
    expect(top.included).toBe(1);
    const tip = await sealUntilHeavy(trunk.hash);
    const target = await sealOn(trunk.hash);
    expect(node.parts.chain.best().hash).toBe(tip);
    expect(target.included).toBe(0);
    await node.parts.chain.finalize(target.hash);
    expect(node.parts.chain.best().hash).toBe(target.hash);
    await expect.poll(() => node.parts.pool.pending()).toEqual([extrinsic]);
    expect(await node.parts.chain.loadBlock(top.hash)).toBeNull();
    expect((await sealOn()).included).toBe(1);
  }, 60_000);

  it('both persist when reopened, and no block can be built below the finalized one', async () => {
    const { trunk, first, second } = await fork();
    const best = node.parts.chain.best();
    await node.close();
    node = await createNode(platform(), config);
    expect(node.parts.chain.best()).toMatchObject({ hash: best.hash, number: best.number });
    const onFirst = await sealOn(first.hash);
    expect(onFirst.number).toBe(first.number + 1);
    // A primary slot makes the first branch best again, in which case the finalized block is the best one;
    // the SDK's best block never moves ahead of it.
    const isBack = node.parts.chain.best().hash === onFirst.hash;
    await node.parts.chain.finalize((second[0] as Sealed).hash);
    await expect(node.parts.chain.finalize(trunk.hash)).rejects.toMatchObject({ code: 'NotFinalizable' });
    await expect(sealOn(trunk.hash)).rejects.toThrow('UnknownParent');
    const top = isBack ? (second[0] as Sealed).number : best.number;
    expect((await sealOn()).number).toBe(top + 1);
  }, 60_000);
});
