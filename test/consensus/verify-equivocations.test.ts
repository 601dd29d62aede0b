import { expect, it } from 'vitest';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { hashHeader } from '../../worker/chain/hashes.ts';
import type { Block } from '../../worker/codec/block.ts';
import { encodeEngineItem } from '../../worker/codec/digest.ts';
import type { Header } from '../../worker/codec/header.ts';
import { encodeU64 } from '../../worker/codec/inherent-data.ts';
import { headerPreDigest } from '../../worker/consensus/babe/codec.ts';
import {
  createEquivocations,
  type Equivocation,
  loadEvidence,
} from '../../worker/consensus/equivocations.ts';
import { reportEquivocation } from '../../worker/consensus/report-equivocation.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { lastingDatabase } from '../rigs/dev-node.ts';
import { hasFixtures, loadFixtureText } from '../rigs/fixtures.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { importFile, makeBlocks, openAt, startMs } from './verify-rig.ts';

const chains = async () => [
  ['the default runtime', 'development', 1] as const,
  ...(hasFixtures
    ? [['westend-dev', { specJson: await loadFixtureText('chains/westend-dev-raw.json') }, 1] as const]
    : []),
];

it.each(await chains())(
  'two blocks of an author in one slot, %s: stored, logged once, reported',
  async (_, chain, reports) => {
    // Three nodes with the same key, each with its own block on the same parent.
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

it('evidence persists over a restart: in the status, not logged again, reported until a block includes the report', async () => {
  const blocks = await Promise.all([1, 2, 3].map(async () => (await makeBlocks(1))[0] as Block));
  const db = lastingDatabase();
  const open = (keys: readonly string[] = []): Promise<Node> =>
    createNode(
      createTestPlatform({ db, now: () => startMs }),
      testConfig('development', { keys, finality: { kind: 'manual' } }),
    );
  const waiting = ({ parts }: Node): number => parts.pool.readyCount() + parts.pool.futureCount();
  const node = await open();
  expect(await node.status()).toMatchObject({ equivocations: { count: 0, last: null } });
  for (const block of blocks.slice(0, 2)) await importFile(node, block);
  const found = node.parts.equivocations.list();
  expect(found.length).toBe(1);
  const { equivocations: told } = await node.status();
  const hashes = blocks.slice(0, 2).map(({ header }) => hashHeader(node.parts.crypto, header));
  const { slot, offender } = found[0] as Equivocation;
  expect(told).toEqual({
    count: 1,
    last: { engine: 'babe', slot: `${slot}`, offender: bytesToHex(offender), blocks: hashes },
  });
  await node.close();

  const again = await open(['//Alice']);
  expect(again.parts.equivocations.list()).toEqual(found);
  expect((await again.status()).equivocations).toEqual(told);
  for (const block of blocks) await importFile(again, block);
  expect(again.parts.equivocations.list()).toEqual(found);
  await expect.poll(() => waiting(again)).toBe(1);
  await sealOn(again);
  expect(waiting(again)).toBe(0);
  await again.close();

  const last = await open();
  expect(last.parts.equivocations.list()).toEqual(found);
  const { chain, pool } = last.parts;
  const submit = (extrinsic: Uint8Array) => pool.submit(extrinsic, 1);
  // The runtime of that state already has the report.
  expect(await reportEquivocation({ chain, submit }, found[0] as Equivocation)).toBe(0);
  await last.close();
});

it('stores 64 findings on disk as well, including those of Aura', async () => {
  const db = createMemoryDatabase();
  const equivocations = createEquivocations([], (batch) => void db.write(batch));
  const zeros = new Uint8Array(32);
  const header = (byte: number): Header => ({
    parentHash: zeros.slice().fill(byte),
    number: 300 + byte,
    stateRoot: zeros,
    extrinsicsRoot: zeros,
    digest: [encodeEngineItem('preRuntime', 'aura', encodeU64(5n))],
  });
  const note = (to: typeof equivocations, engine: 'babe' | 'aura', slot: bigint): void => {
    for (const byte of [1, 2])
      to.note({ engine, slot, author: zeros, hash: `${byte}` as never, header: header(byte) }, slot);
  };
  for (let slot = 0n; slot < 300n; slot++) note(equivocations, slot % 2n === 0n ? 'babe' : 'aura', slot);
  const loaded = await loadEvidence(db);
  expect(loaded.length).toBe(64);
  expect(loaded.map(({ found }) => found)).toEqual(equivocations.list());
  expect((await db.range('auxiliary')).length).toBe(64);
  // Later evidence continues the numbering.
  const next = createEquivocations(loaded, (batch) => void db.write(batch));
  note(next, 'babe', 298n);
  note(next, 'babe', 301n);
  expect((await loadEvidence(db)).map(({ found }) => found.slot)).toEqual([
    ...equivocations
      .list()
      .slice(1)
      .map(({ slot }) => slot),
    301n,
  ]);
});

it('remembers the last 1,000 slots, one header per author, and 64 findings', () => {
  const equivocations = createEquivocations();
  const zeros = new Uint8Array(32);
  const header = { parentHash: zeros, number: 1, stateRoot: zeros, extrinsicsRoot: zeros, digest: [] };
  const note = (slot: bigint, hash: string, now = slot): void =>
    equivocations.note(
      { engine: 'babe', slot, author: new Uint8Array(32), hash: hash as never, header },
      now,
    );
  for (let slot = 0n; slot < 1002n; slot++) note(slot, 'a');
  // The first two slots are forgotten, and blocks too old for the clock are not checked.
  note(1n, 'b', 1n);
  expect(equivocations.list()).toEqual([]);
  note(900n, 'b', 1901n);
  expect(equivocations.list()).toEqual([]);
  for (let slot = 500n; slot < 600n; slot++) note(slot, 'b');
  expect(equivocations.list().length).toBe(64);
  expect(equivocations.list().at(-1)?.slot).toBe(599n);
});
