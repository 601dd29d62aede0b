import { describe, expect, it } from 'vitest';
import type { ChainSource, ClockMode } from '../../src/protocol/node.ts';
import { Reader } from '../../worker/bytes/reader.ts';
import { findDigest } from '../../worker/codec/digest.ts';
import type { Header } from '../../worker/codec/header.ts';
import { headerPreDigest } from '../../worker/consensus/babe/codec.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

const slotMs = 6000;
/** A multiple of the chain's slot length. */
const wall = 1_800_000_000_000;
const day = 86_400_000;

/** A database that is not lost when its node closes. */
const newDisk = (): Database => ({ ...createMemoryDatabase(), close: async () => undefined });

const open = (db: Database, nowMs: number, clock: ClockMode, chain: ChainSource = 'development') =>
  createNode(createTestPlatform({ db, now: () => nowMs }), testConfig(chain, { clock }));

const slotOf = (header: Header): number => {
  const babe = headerPreDigest(header);
  if (babe !== null) return Number(babe.slot);
  return Number(new Reader(findDigest(header.digest, 'preRuntime', 'aura') as Uint8Array).u64());
};

/** Seals this many blocks and returns their slots. */
const sealSlots = async (node: Node, count: number): Promise<number[]> => {
  const slots: number[] = [];
  for (let made = 0; made < count; made++) {
    const sealed = await node.parts.author.seal({ createEmpty: true, finalize: false });
    if (!sealed.ok) throw new Error(sealed.message);
    slots.push(slotOf((await node.parts.chain.loadHeader(node.parts.chain.best().hash)) as Header));
  }
  return slots;
};

const sealOnce = async (db: Database, nowMs: number, clock: ClockMode, chain?: ChainSource) => {
  const node = await open(db, nowMs, clock, chain);
  const slots = await sealSlots(node, 2);
  await node.close();
  return slots;
};

describe('the clock of a chain', () => {
  it.each(['chain', 'wall'] as const)(
    "%s: starts at the wall clock's slot; faster blocks use the following slots",
    async (clock) => {
      const slot = wall / slotMs;
      expect(await sealOnce(newDisk(), wall + 10, clock)).toEqual([slot, slot + 1]);
    },
  );

  it('chain: a chain that was closed for a day continues at the next slot', async () => {
    const db = newDisk();
    const [, last = 0] = await sealOnce(db, wall, 'chain');
    expect(await sealOnce(db, wall + day, 'chain')).toEqual([last + 1, last + 2]);
  });

  it("wall: after a day, uses the wall clock's slot, skipping epochs, and the state stays intact", async () => {
    const db = newDisk();
    await sealOnce(db, wall, 'wall');
    const slot = (wall + day) / slotMs;
    expect(await sealOnce(db, wall + day, 'wall')).toEqual([slot, slot + 1]);
    // The clock mode is passed at each start; with `chain`, the same chain continues in consecutive slots.
    expect(await sealOnce(db, wall + 2 * day, 'chain')).toEqual([slot + 2, slot + 3]);
  });

  it('a date: a new chain starts there, keeps its offset when reopened, and stays behind the wall clock', async () => {
    const db = newDisk();
    const startMs = Date.UTC(2024, 1, 29);
    const first = startMs / slotMs;
    expect(await sealOnce(db, wall, { startMs })).toEqual([first, first + 1]);
    expect(await sealOnce(db, wall + day, { startMs })).toEqual([first + 2, first + 3]);
    const node = await open(db, wall + day, 'chain');
    // Seal mode `slots` uses the clock itself, which is a day after the start.
    const sealed = await node.parts.author.seal({ createEmpty: true, finalize: false, wall: true });
    expect(sealed.ok).toBe(true);
    const header = (await node.parts.chain.loadHeader(node.parts.chain.best().hash)) as Header;
    expect(slotOf(header)).toBe((startMs + day) / slotMs);
    await node.close();
  });

  it('refuses invalid times', async () => {
    for (const startMs of [Number.NaN, -1, Number.POSITIVE_INFINITY])
      await expect(open(newDisk(), wall, { startMs })).rejects.toMatchObject({ code: 'BadConfig' });
  });

  it.skipIf(!hasFixtures)('Aura: by the wall clock and from a date', async () => {
    const chain = { specJson: await loadFixtureText('chains/node-template-raw.json') };
    const db = newDisk();
    const [, last = 0] = await sealOnce(db, wall, 'chain', chain);
    const [later = 0] = await sealOnce(db, wall + day, 'wall', chain);
    expect(later - last).toBeGreaterThan(1000);
    const startMs = Date.UTC(2024, 1, 29);
    const [slot = 0] = await sealOnce(newDisk(), wall, { startMs }, chain);
    expect(slot * slotMs).toBe(startMs);
  });
});
