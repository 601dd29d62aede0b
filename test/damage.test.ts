import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NodeError } from '../src/protocol/errors.ts';
import type { Block } from '../worker/codec/block.ts';
import { answersOf, type Made, makeChain, type Opened, openFile } from './damage-rig.ts';
import { createRandom } from './random.ts';

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
  copyFileSync(whole, join(folder, 'healthy.sqlite'));
  healthy = await openFile(join(folder, 'healthy.sqlite'));
  truth = await answersOf(healthy, made.questions);
});
afterAll(async () => {
  await healthy.close();
  rmSync(folder, { recursive: true });
});

const namesDamage = (text: string): boolean => text.includes('The database is damaged');

/** What was told that is not so, of a node on the damaged file; a refusal to open is the truth. */
const liesOf = async (): Promise<string[]> => {
  let opened: Opened;
  try {
    opened = await openFile(damaged);
  } catch (error) {
    return error instanceof NodeError && error.code === 'StorageBroken' ? [] : [`opening: ${error}`];
  }
  const answers = await answersOf(opened, made.questions);
  const lies = answers.flatMap((answer, at) =>
    answer === truth[at] || (answer.startsWith('error') && namesDamage(answer))
      ? []
      : [`${JSON.stringify(made.questions[at])}: ${answer.slice(0, 200)}`],
  );
  lies.push(...(await sealed(opened)));
  await opened.close();
  return lies.slice(0, 2);
};

/** A block that was built on the damaged file must be one that a healthy node takes. */
const sealed = async ({ node }: Opened): Promise<string[]> => {
  const { author, chain } = node.parts;
  try {
    const parent = chain.best().hash;
    const result = await author.seal({ createEmpty: true, finalize: false });
    if (!result.ok) return namesDamage(result.message) ? [] : [`sealing: ${result.code} ${result.message}`];
    const block = (await chain.loadBlock(result.hash)) as Block;
    const imported = await healthy.node.parts.chain.import(block);
    if (parent !== made.blocks.at(-1)) return [`sealing: on another block than the best, ${parent}`];
    return imported.ok ? [] : [`sealing: a block that is refused: ${imported.code} ${imported.message}`];
  } catch (error) {
    return error instanceof NodeError && error.code === 'StorageBroken' ? [] : [`sealing: ${error}`];
  }
};

const flipInFile = (at: number, bit: number): void => {
  const bytes = readFileSync(whole);
  bytes[at] = (bytes[at] as number) ^ (1 << bit);
  writeFileSync(damaged, bytes);
  for (const end of ['-wal', '-shm']) rmSync(`${damaged}${end}`, { force: true });
};

/** Bytes by which SQLite finds its way: page headers and cell pointers. */
const structuralBytes = (): number[] => {
  const bytes = readFileSync(whole);
  const found: number[] = [];
  for (let page = 0; page < bytes.length; page += 4096) {
    const start = page === 0 ? 100 : page;
    const kind = bytes[start] as number;
    if (![2, 5, 10, 13].includes(kind)) continue;
    const header = kind === 2 || kind === 5 ? 12 : 8;
    const size = header + 2 * bytes.readUInt16BE(start + 3);
    if (size < 2048) for (let at = 0; at < size; at++) found.push(start + at);
  }
  for (let at = 0; at < 100; at++) found.push(at);
  return found;
};

/** Flips a bit of one record's key or value, as if by the disk: SQLite itself finds nothing wrong. */
const flipInRecord = (store: string, part: 'key' | 'value'): boolean => {
  copyFileSync(whole, damaged);
  const file = new DatabaseSync(damaged);
  const rows = file.prepare(`SELECT key, value FROM "${store}"`).all() as Record<string, Uint8Array>[];
  const row = rows[pick(rows.length)];
  const bytes = row?.[part]?.slice() ?? new Uint8Array(0);
  const at = pick(bytes.length);
  bytes[at] = (bytes[at] as number) ^ (1 << pick(8));
  if (bytes.length > 0)
    file.prepare(`UPDATE "${store}" SET ${part} = ? WHERE key = ?`).run(bytes, row?.['key'] as Uint8Array);
  file.close();
  return bytes.length > 0;
};

describe('a flipped bit is never served', () => {
  it('200 at random places of the file', async () => {
    const lies: string[] = [];
    const size = readFileSync(whole).length;
    for (let round = 0; round < 200; round++) {
      const [at, bit] = [pick(size), pick(8)];
      flipInFile(at, bit);
      lies.push(...(await liesOf()).map((lie) => `byte ${at} bit ${bit}: ${lie}`));
    }
    expect(lies).toEqual([]);
  }, 300_000);

  it('100 where SQLite keeps the order of its records', async () => {
    const lies: string[] = [];
    const places = structuralBytes();
    for (let round = 0; round < 100; round++) {
      const [at, bit] = [places[pick(places.length)] as number, pick(8)];
      flipInFile(at, bit);
      lies.push(...(await liesOf()).map((lie) => `byte ${at} bit ${bit}: ${lie}`));
    }
    expect(lies).toEqual([]);
  }, 300_000);

  it('in keys and values of each store', async () => {
    const lies: string[] = [];
    const touched = new Set<string>();
    const stores = 'meta headers bodies justifications numbers nodes offchain keystore snapshots'.split(' ');
    for (const store of stores)
      for (let round = 0; round < 12; round++) {
        const part = round % 2 === 0 ? 'value' : 'key';
        if (flipInRecord(store, part)) touched.add(store);
        lies.push(...(await liesOf()).map((lie) => `${store} ${part}: ${lie}`));
      }
    expect([...touched]).toEqual(stores);
    expect(lies).toEqual([]);
  }, 300_000);
});
