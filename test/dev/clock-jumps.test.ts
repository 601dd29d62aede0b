import { describe, expect, it, onTestFinished } from 'vitest';
import type { ChainSource, NodeConfig } from '../../src/protocol/node.ts';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import type { BlockHash, ExtrinsicHash } from '../../worker/codec/identity.ts';
import { readChainTime } from '../../worker/consensus/instant/instant.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { openPort } from '../rigs/ports.ts';

const slotMs = 6000;
/** A multiple of the slot length. */
const begin = 1_800_000_000_000;
const hour = 3_600_000;
const decade = 3_652 * 24 * hour;
const jumps = [hour, -hour, decade, -decade];
const waitMs = 60_000;

type Clock = { ms: number };

/**
 * A node whose wall clock moves only when the test says so. Seal modes see it 5 ms before the end of a slot, so that
 * they look at it every few milliseconds.
 */
const startAt = async (clock: Clock, chain: ChainSource, changes: Partial<NodeConfig>, db?: Database) => {
  const platform = createTestPlatform({
    ...(db === undefined ? {} : { db }),
    now: () => clock.ms + slotMs - 5,
  });
  const node = await createNode(
    platform,
    // The authorities of both chains: every slot has an author here.
    testConfig(chain, { keys: ['//Alice', '//Bob'], ...changes }),
  );
  const port = openPort(node);
  onTestFinished(() => node.close());
  return { node, call: port.request, errors: platform.errors };
};

const bestOf = ({ parts }: Node): number => parts.chain.best().number;
const hasBest = (node: Node, number: number) =>
  expect.poll(() => bestOf(node), { timeout: waitMs, interval: 5 }).toBeGreaterThanOrEqual(number);

/** The time of a block by pallet-timestamp. */
const timeOf = async ({ parts }: Node, hash: BlockHash): Promise<number> => {
  const time = await parts.chain.withState(hash, (state) => readChainTime(parts.crypto, state));
  return Number(time);
};

/** The times of all blocks after genesis. */
const timesOf = async (node: Node): Promise<number[]> => {
  const times: number[] = [];
  for (let number = 1; number <= bestOf(node); number += 1)
    times.push(await timeOf(node, (await node.parts.chain.loadHashAt(number)) as BlockHash));
  return times;
};

const expectRising = (times: readonly number[]): void => {
  for (const [at, time] of times.entries()) if (at > 0) expect(time).toBeGreaterThan(times[at - 1] as number);
};

/** Every block, imported as one of another node is, by a node whose clock has passed them all. */
const expectAccepted = async (node: Node, chain: ChainSource): Promise<void> => {
  const nowMs = Math.max(...(await timesOf(node)));
  const { node: other } = await startAt({ ms: nowMs }, chain, { keys: [] });
  for (let number = 1; number <= bestOf(node); number += 1) {
    const hash = (await node.parts.chain.loadHashAt(number)) as BlockHash;
    const block = await node.parts.chain.loadBlock(hash);
    expect(block === null ? null : await other.parts.chain.import(block)).toMatchObject({ ok: true, hash });
  }
};

const chains: Readonly<Record<string, () => Promise<ChainSource>>> = {
  BABE: async () => 'development',
  Aura: async () => ({ specJson: await loadFixtureText('chains/node-template-raw.json') }),
};
const engines = Object.keys(chains).filter((name) => name === 'BABE' || hasFixtures);
const cases = engines.flatMap((engine) => jumps.map((jump) => [engine, jump] as const));

describe.each(cases)('%s, when the wall clock jumps by %i ms and back', (engine, jump) => {
  const load = chains[engine] as () => Promise<ChainSource>;

  it(
    'by slots: one block for a slot, none for those that were skipped, none that is early',
    async () => {
      const chain = await load();
      const clock: Clock = { ms: begin };
      const seal = { kind: 'slots' } as const;
      const { node, call } = await startAt(clock, chain, { seal });
      await hasBest(node, 1);
      const slots = [begin];
      /** Looks at the clock about twenty times: no slot may give more than one block. */
      const settle = async (): Promise<void> => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        expect(bestOf(node)).toBe(slots.length);
      };
      for (const ms of [begin + jump, begin + jump + slotMs, begin, begin + slotMs]) {
        clock.ms = ms;
        if (ms > (slots.at(-1) as number)) slots.push(ms);
        else await expect.poll(async () => (await node.status()).sealFault?.code).toBe('Unsupported');
        await hasBest(node, slots.length);
        await settle();
      }
      expect(await timesOf(node)).toEqual(slots);
      // Another seal mode continues in the next slots, wherever the clock is.
      await call('dev_setSealMode', [{ kind: 'interval', ms: 1 }]);
      await hasBest(node, slots.length + 3);
      await call('dev_setSealMode', [{ kind: 'manual' }]);
      expectRising(await timesOf(node));
      await expectAccepted(node, chain);
    },
    2 * waitMs,
  );

  it(
    'by interval and on demand, with the clock of the chain and of the wall: blocks go on, each later than the last',
    async () => {
      const chain = await load();
      for (const mode of ['chain', 'wall'] as const) {
        const clock: Clock = { ms: begin };
        const { node, call, errors } = await startAt(clock, chain, {
          seal: { kind: 'interval', ms: 1 },
          clock: mode,
        });
        await hasBest(node, 2);
        for (const ms of [begin + jump, begin, begin - jump]) {
          clock.ms = ms;
          await hasBest(node, bestOf(node) + 3);
        }
        await call('dev_setSealMode', [{ kind: 'instant' }]);
        await call('dev_newBlock', []);
        expect((await node.status()).sealFault).toBeNull();
        expect(errors).toEqual([]);
        const times = await timesOf(node);
        expectRising(times);
        // The chain's own clock knows no jumps.
        if (mode === 'chain') expect(times.at(-1)).toBe((times[0] as number) + (times.length - 1) * slotMs);
        await expectAccepted(node, chain);
      }
    },
    2 * waitMs,
  );
});

describe.each([-decade, decade])('when the wall clock jumps by %i ms', (jump) => {
  it(
    'votes finalize on, and a delay lasts as long',
    async () => {
      for (const finality of [{ kind: 'grandpa' }, { kind: 'delayed', ms: 50 }] as const) {
        const clock: Clock = { ms: begin };
        const { node, call } = await startAt(clock, 'development', { finality });
        for (const ms of [begin, begin + jump, begin]) {
          clock.ms = ms;
          await call('dev_newBlock', []);
          await expect
            .poll(() => node.parts.chain.finalized().number, { timeout: waitMs, interval: 5 })
            .toBe(bestOf(node));
        }
      }
    },
    2 * waitMs,
  );

  it('the offset of a chain with its own date is kept over a restart', async () => {
    const db: Database = { ...createMemoryDatabase(), close: async () => undefined };
    const clock: Clock = { ms: begin };
    const startMs = Date.UTC(2024, 1, 29);
    const seal = async (node: Node): Promise<number> => {
      const sealed = await node.parts.author.seal({ createEmpty: true, finalize: false });
      expect(sealed).toMatchObject({ ok: true });
      return timeOf(node, node.parts.chain.best().hash);
    };
    const first = await startAt(clock, 'development', { clock: { startMs } }, db);
    const began = await seal(first.node);
    await first.node.close();
    clock.ms += jump;
    const second = await startAt(clock, 'development', {}, db);
    // By slots, the chain is as far from its beginning as the clock of the machine is.
    const bySlot = await second.node.parts.author.seal({ createEmpty: true, finalize: false, wall: true });
    expect(bySlot.ok ? 'ok' : bySlot.code).toBe(jump > 0 ? 'ok' : 'NoClaimableKey');
    const last = await timeOf(second.node, second.node.parts.chain.best().hash);
    expect(last).toBe(jump > 0 ? began + jump : began);
    expect(await seal(second.node)).toBe(last + slotMs);
    await second.call('dev_timeTravel', [last + 30 * slotMs]);
    expect(await seal(second.node)).toBe(last + 30 * slotMs);
    await second.node.close();
    clock.ms -= 2 * jump;
    const third = await startAt(clock, 'development', {}, db);
    expect(await seal(third.node)).toBe(last + 31 * slotMs);
  });

  it('a ban of the pool ends neither earlier nor later', async () => {
    const clock: Clock = { ms: begin };
    const { node } = await startAt(clock, 'development', { pool: { banSeconds: 60 } });
    const { pool } = node.parts;
    const hash = bytesToHex(new Uint8Array(32)) as string as ExtrinsicHash;
    pool.remove([hash], true);
    const [[, untilMs] = [hash, 0]] = pool.banned();
    clock.ms += jump;
    expect(pool.banned()).toEqual([[hash, untilMs]]);
    // In another place of time, the same minute.
    pool.remove([hash], true);
    const [[, laterMs] = [hash, 0]] = pool.banned();
    expect(laterMs - untilMs).toBeGreaterThanOrEqual(0);
    expect(laterMs - untilMs).toBeLessThan(waitMs);
  });
});
