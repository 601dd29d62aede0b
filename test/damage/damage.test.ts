import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import type { Block } from '../../worker/codec/block.ts';
import type { StoreName } from '../../worker/db/stores.ts';
import { createRandom } from '../rigs/random.ts';
import { answersOf, type Made, makeChain, type Opened, openFile, structuralBytes } from './damage-rig.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabnode-damage-'));
const whole = join(folder, 'whole.sqlite');
const damaged = join(folder, 'damaged.sqlite');

let made: Made;
let truth: readonly string[] = [];
let healthy: Opened;
const random = createRandom(20261122);
const pick = (count: number): number => Math.floor(random() * count);

beforeAll(async () => {
  made = await makeChain(whole, 24);
  // Removes free pages, in which a flip does no damage.
  const file = new DatabaseSync(whole);
  file.exec('VACUUM');
  file.close();
  copyFileSync(whole, join(folder, 'healthy.sqlite'));
  healthy = await openFile(join(folder, 'healthy.sqlite'));
  truth = await answersOf(healthy, made.questions);
});
afterAll(async () => {
  await healthy.close();
  rmSync(folder, { recursive: true });
});

const damageWords = 'The database is damaged';

const isBroken = (error: unknown): boolean => error instanceof NodeError && error.code === 'StorageBroken';

/** The outcome of damage: wrong responses, and whether the damage was reported. */
type Outcome = { readonly lies: readonly string[]; readonly isNoticed: boolean };

/** A block built on the damaged file must be acceptable to an intact node. Returns what is wrong, or null. */
const trySealing = async ({ node }: Opened): Promise<string | null> => {
  const { author, chain } = node.parts;
  const parent = chain.best().hash;
  const result = await author.seal({ createEmpty: true, finalize: false });
  if (!result.ok) return result.code === 'StorageBroken' ? null : `sealing: ${result.code} ${result.message}`;
  const block = (await chain.loadBlock(result.hash)) as Block;
  if (parent !== made.blocks.at(-1)) return `sealing: on another block than the best, ${parent}`;
  const imported = await healthy.node.parts.chain.import(block, { origin: 'file' });
  return imported.ok ? null : `sealing: a block that is refused: ${imported.code} ${imported.message}`;
};

/** Opens the damaged file and queries everything. Refusing to open it is also correct. */
const tryDamaged = async (): Promise<Outcome> => {
  let opened: Opened;
  try {
    opened = await openFile(damaged);
  } catch (error) {
    return { lies: isBroken(error) ? [] : [`opening: ${error}`], isNoticed: true };
  }
  const answers = await answersOf(opened, made.questions);
  const isTold = answers.map((answer) => answer.startsWith('error') && answer.includes(damageWords));
  const lies = answers.flatMap((answer, at) =>
    answer === truth[at] || isTold[at] === true
      ? []
      : [`${JSON.stringify(made.questions[at])}: ${answer.slice(0, 200)}`],
  );
  const lie = await trySealing(opened).catch((error: unknown) =>
    isBroken(error) ? null : `sealing: ${error}`,
  );
  await opened.close();
  return { lies: [...lies.slice(0, 2), ...(lie === null ? [] : [lie])], isNoticed: isTold.includes(true) };
};

/**
 * Damages the file repeatedly; returns the wrong responses, and in how many rounds the damage was noticed.
 */
const tryRounds = async (rounds: number, hurt: (round: number) => string) => {
  const lies: string[] = [];
  let noticed = 0;
  for (let round = 0; round < rounds; round++) {
    const what = hurt(round);
    const outcome = await tryDamaged();
    lies.push(...outcome.lies.map((lie) => `${what}: ${lie}`));
    if (outcome.isNoticed) noticed++;
  }
  return { lies, noticed };
};

const flipInFile = (at: number): string => {
  const bytes = readFileSync(whole);
  const bit = pick(8);
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  writeFileSync(damaged, bytes);
  for (const end of ['-wal', '-shm']) rmSync(`${damaged}${end}`, { force: true });
  return `byte ${at} bit ${bit}`;
};

/** Flips a bit of one record's key or value, as a faulty disk might. SQLite itself finds nothing wrong. */
const flipInRecord = (store: StoreName, part: 'key' | 'value'): string => {
  copyFileSync(whole, damaged);
  for (const end of ['-wal', '-shm']) rmSync(`${damaged}${end}`, { force: true });
  const file = new DatabaseSync(damaged);
  const rows = file.prepare(`SELECT key, value FROM "${store}"`).all() as Record<string, Uint8Array>[];
  const row = rows[pick(rows.length)] as Record<'key' | 'value', Uint8Array>;
  const bytes = row[part].slice();
  const at = pick(bytes.length);
  bytes[at] = (bytes[at] as number) ^ (1 << pick(8));
  file.prepare(`UPDATE "${store}" SET ${part} = ? WHERE key = ?`).run(bytes, row.key);
  file.close();
  return `${store} ${part}`;
};

/** The stores in which the test's chain has records. */
const filled = [
  'meta',
  'headers',
  'bodies',
  'justifications',
  'numbers',
  'nodes',
  'offchain',
  'keystore',
  'snapshots',
] as const satisfies readonly StoreName[];

describe('a flipped bit is never served', () => {
  it('200 at random places of the file', async () => {
    const size = readFileSync(whole).length;
    const { lies, noticed } = await tryRounds(200, () => flipInFile(pick(size)));
    expect(lies).toEqual([]);
    expect(noticed).toBeGreaterThan(100);
  }, 300_000);

  it("60 in SQLite's navigation data", async () => {
    const places = structuralBytes(readFileSync(whole));
    const { lies, noticed } = await tryRounds(60, () => flipInFile(places[pick(places.length)] as number));
    expect(lies).toEqual([]);
    expect(noticed).toBeGreaterThan(15);
  }, 300_000);

  it.each(filled)(
    'in keys and values of the store %s',
    async (store) => {
      const { lies, noticed } = await tryRounds(6, (round) =>
        flipInRecord(store, round % 2 === 0 ? 'value' : 'key'),
      );
      expect(lies).toEqual([]);
      expect(noticed).toBeGreaterThan(0);
    },
    300_000,
  );
});
