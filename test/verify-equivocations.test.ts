import { expect, it } from 'vitest';
import type { Block } from '../worker/codec/block.ts';
import { headerPreDigest } from '../worker/consensus/babe/codec.ts';
import { createEquivocations } from '../worker/consensus/equivocations.ts';
import { hasFixtures, loadFixtureText } from './fixtures.ts';
import { importFile, makeBlocks, openAt, startMs } from './verify-rig.ts';

const chains = async () => [
  ['the default runtime', 'development', 1] as const,
  ...(hasFixtures
    ? [['westend-dev', { specJson: await loadFixtureText('chains/westend-dev-raw.json') }, 1] as const]
    : []),
];

it.each(await chains())(
  'two blocks of an author in one slot, %s: kept, told once, reported',
  async (_, chain, reports) => {
    // Three nodes with one key, each with a block of its own on the same parent.
    const [first, second, third] = await Promise.all([1, 2, 3].map(() => makeBlocks(1, chain)));
    const blocks = [first, second, third].map((list) => list?.[0] as Block);
    const node = await openAt(startMs, chain);
    const { equivocations, pool } = node.parts;
    let told = 0;
    equivocations.onFound(() => told++);
    expect(await importFile(node, blocks[0] as Block)).toMatchObject({ ok: true });
    expect(await importFile(node, blocks[0] as Block)).toMatchObject({ ok: true });
    expect(told).toBe(0);
    for (const block of blocks.slice(1)) expect(await importFile(node, block)).toMatchObject({ ok: true });
    expect(told).toBe(1);
    const alice = node.parts.crypto.suriToPair('//Alice', 'sr25519').publicKey;
    expect(equivocations.list()).toEqual([
      {
        engine: 'babe',
        slot: headerPreDigest((blocks[0] as Block).header)?.slot,
        offender: alice,
        first: blocks[0]?.header,
        second: blocks[1]?.header,
      },
    ]);
    await expect.poll(() => pool.readyCount() + pool.futureCount()).toBe(reports);
    await node.close();
  },
);

it('remembers the last 1,000 slots, one header of each author, and 64 finds', () => {
  const equivocations = createEquivocations();
  const header = { number: 1, digest: [] } as never;
  const note = (slot: bigint, hash: string, now = slot): void =>
    equivocations.note(
      { engine: 'babe', slot, author: new Uint8Array(32), hash: hash as never, header },
      now,
    );
  for (let slot = 0n; slot < 1002n; slot++) note(slot, 'a');
  // The first two slots are forgotten, and what is too old for the clock is not looked at.
  note(1n, 'b', 1n);
  expect(equivocations.list()).toEqual([]);
  note(900n, 'b', 1901n);
  expect(equivocations.list()).toEqual([]);
  for (let slot = 500n; slot < 600n; slot++) note(slot, 'b');
  expect(equivocations.list().length).toBe(64);
  expect(equivocations.list().at(-1)?.slot).toBe(599n);
});
