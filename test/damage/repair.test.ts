import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RepairReport } from '../../src/protocol/node.ts';
import { createControl } from '../../worker/control.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import { openSqliteSalvage } from '../../worker/db/sqlite-salvage.ts';
import { checkWhole } from '../chain/whole-chain.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { createRandom } from '../rigs/random.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { answersOf, type Made, makeChain, openFile, type Question, structuralBytes } from './damage-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-repair-'));
const whole = join(folder, 'whole.sqlite');
const damaged = join(folder, 'damaged.sqlite');
const length = 24;

let made: Made;
let truth: ReadonlyMap<Question, string> = new Map();

beforeAll(async () => {
  made = await makeChain(whole, length);
  copyFileSync(whole, damaged);
  const healthy = await openFile(damaged);
  const answers = await answersOf(healthy, made.questions);
  truth = new Map(made.questions.map((question, at) => [question, answers[at] as string]));
  await healthy.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

const repair = async (apply: boolean): Promise<RepairReport> => {
  const { blake2b256 } = await loadCrypto();
  const platform = {
    ...createTestPlatform(),
    openDamaged: () => openSqliteSalvage(damaged, blake2b256),
  };
  const outcome = await createControl(platform).repair(testConfig('development'), { apply });
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.value;
};

const filesOfDamaged = (): string[] =>
  readdirSync(folder).filter((name) => name.startsWith('damaged.sqlite'));

const put = (bytes: Uint8Array): void => {
  for (const name of filesOfDamaged()) rmSync(join(folder, name));
  writeFileSync(damaged, bytes);
};

/** Checks that the node starts, each block up to the head reads as before, and new ones follow. */
const checkRepaired = async ({ head }: RepairReport): Promise<void> => {
  expect(head.hash).toBe(made.blocks[head.number]);
  const opened = await openFile(damaged);
  const { node } = opened;
  expect(node.parts.chain.best()).toMatchObject(head);
  const kept = new Set<unknown>(made.blocks.slice(0, head.number + 1));
  const questions = made.questions.filter(
    ([method, [at]]) => /^chain_get(Block|Header)$/.test(method) && kept.has(at),
  );
  expect(questions).toHaveLength(2 * (head.number + 1));
  expect(await answersOf(opened, questions)).toEqual(questions.map((one) => truth.get(one)));
  await checkWhole(node);
  await sealOn(node);
  await sealOn(node);
  await checkWhole(node);
  await opened.close();
};

/** Repairs the file after each flip; returns the resulting heads of the damaged chains. */
const tryFlips = async (rounds: number, pickByte: () => number, random: () => number) => {
  const bytes = readFileSync(whole);
  const heads: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const hurt = Uint8Array.from(bytes);
    const at = pickByte();
    hurt[at] = (hurt[at] as number) ^ (1 << Math.floor(random() * 8));
    put(hurt);
    const planned = await repair(false);
    expect(filesOfDamaged()).toEqual(['damaged.sqlite']);
    expect(readFileSync(damaged).equals(hurt), `byte ${at}`).toBe(true);
    if (planned.outcome === 'whole') continue;
    const report = await repair(true);
    const keptAt = `${damaged}.damaged-1`;
    expect(report).toEqual({ ...planned, outcome: 'repaired', keptAt });
    expect(readFileSync(keptAt).equals(hurt)).toBe(true);
    heads.push(report.head.number);
    await checkRepaired(report);
  }
  return heads;
};

const random = createRandom(20261122);
const pick = (count: number): number => Math.floor(random() * count);

describe('a damaged SQLite file is repaired: it starts, reads correctly up to its head, and continues', () => {
  it('after 50 random flips', async () => {
    const size = readFileSync(whole).length;
    const heads = await tryFlips(50, () => pick(size), random);
    // Where a flip hits depends on keys that each run generates.
    expect(heads.length).toBeGreaterThan(15);
    expect(heads.filter((head) => head < length - 2).length).toBeLessThan(8);
  }, 300_000);

  it("after 12 flips in SQLite's navigation data: hardly any block is lost", async () => {
    const places = structuralBytes(readFileSync(whole));
    const heads = await tryFlips(12, () => places[pick(places.length)] as number, random);
    expect(heads.length).toBeGreaterThan(5);
    expect(heads.filter((head) => head < length).length).toBeLessThan(3);
  }, 300_000);

  it('the log of a killed node is read, before and after a header is lost', async () => {
    put(readFileSync(whole));
    const opened = await openFile(damaged);
    const hashes = [await sealOn(opened.node), await sealOn(opened.node)];
    const left = ['', '-wal'].map((end) => readFileSync(`${damaged}${end}`));
    await opened.close();
    const leave = (): void => {
      put(left[0] as Buffer);
      writeFileSync(`${damaged}-wal`, left[1] as Buffer);
    };
    leave();
    const head = { number: length + 2, hash: hashes[1] };
    expect(await repair(true)).toMatchObject({ outcome: 'whole', head });
    leave();
    const file = new DatabaseSync(damaged);
    file.prepare('DELETE FROM headers WHERE key = ?').run(Buffer.from((hashes[1] as string).slice(2), 'hex'));
    file.close();
    const report = await repair(true);
    expect(report).toMatchObject({ outcome: 'repaired', head: { number: length + 1, hash: hashes[0] } });
    const again = await openFile(damaged);
    await checkWhole(again.node);
    await sealOn(again.node);
    await again.close();
  });

  it('not while a node is running on it', async () => {
    put(readFileSync(whole));
    const opened = await openFile(damaged);
    await expect(repair(true)).rejects.toThrow('ChainInUse');
    await opened.close();
  });
});
