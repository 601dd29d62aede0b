import { deleteDB } from 'idb';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import type { Block } from '../../worker/codec/block.ts';
import { createControl } from '../../worker/control.ts';
import type { Engine } from '../../worker/db/checked.ts';
import { openIdbDatabase, openIdbEngine } from '../../worker/db/idb.ts';
import { salvageInPlace } from '../../worker/db/salvage.ts';
import { type StoreName, storeNames } from '../../worker/db/stores.ts';
import { checkWhole } from '../chain/whole-chain.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { createRandom } from '../rigs/random.ts';
import { answersOf, type Made, makeChainIn, type Opened, openDamaged } from './damage-chain.ts';

// A test that shares the process may have put a fake IndexedDB there.
const hasIdb = 'location' in globalThis;
const waitMs = 300_000;
const length = 6;
const places = 60;

type Row = readonly [store: StoreName, key: Uint8Array, value: Uint8Array];

const random = createRandom(20261128);
const pick = (count: number): number => Math.floor(random() * count);
let count = 0;
const freshName = (): string => `tabnode-damaged-${Date.now()}-${count++}`;

const writeRows = async (engine: Engine, puts: readonly Row[]): Promise<void> => {
  await engine.write({ puts, deletes: [] }, (_store, _key, stored) => stored);
  await engine.close();
};

let made: Made;
let rows: readonly Row[] = [];
let truth: readonly string[] = [];

beforeAll(async () => {
  if (!hasIdb) return;
  const name = freshName();
  made = await makeChainIn(await openIdbDatabase(name), length);
  const engine = await openIdbEngine(name);
  const all: Row[] = [];
  for (const store of storeNames)
    for (const [key, value] of await engine.range(store)) all.push([store, key, value]);
  rows = all;
  await engine.close();
  const healthy = await openDamaged(await openIdbDatabase(name));
  truth = await answersOf(healthy, made.questions);
  await healthy.close();
  await deleteDB(name);
}, waitMs);

/** One bit of a record's value is flipped, or the value is cut off. */
const damage = (round: number): { readonly what: string; readonly rows: readonly Row[] } => {
  // Most records are trie nodes: each store gets its share.
  const stores = [...new Set(rows.map(([store]) => store))];
  const store = stores[round % stores.length] as StoreName;
  const ofStore = rows.filter(([one, , value]) => one === store && value.length > 0);
  const row = ofStore[pick(ofStore.length)] as Row;
  const value = row[2].slice();
  const at = pick(value.length);
  const isCut = round % 3 === 0;
  if (!isCut) value[at] = (value[at] as number) ^ (1 << pick(8));
  const hurt: Row = [row[0], row[1], isCut ? value.slice(0, at) : value];
  const what = `${store}: ${isCut ? 'cut at' : 'flipped'} byte ${at} of ${value.length}`;
  return { what, rows: rows.map((one) => (one === row ? hurt : one)) };
};

const isBroken = (error: unknown): boolean => error instanceof NodeError && error.code === 'StorageBroken';

/** A block built on damaged records must be one that an intact node accepts. Null if it is. */
const trySealing = async ({ node }: Opened): Promise<string | null> => {
  const { author, chain } = node.parts;
  const sealed = await author.seal({ createEmpty: true, finalize: false });
  if (!sealed.ok) return sealed.code === 'StorageBroken' ? null : `sealing: ${sealed.code} ${sealed.message}`;
  const name = freshName();
  await writeRows(await openIdbEngine(name), rows);
  const intact = await openDamaged(await openIdbDatabase(name));
  const block = (await chain.loadBlock(sealed.hash)) as Block;
  const imported = await intact.node.parts.chain.import(block, { origin: 'file' });
  await intact.close();
  await deleteDB(name);
  return imported.ok ? null : `sealing: a block that is refused: ${imported.code} ${imported.message}`;
};

/** Wrong results of a node over these records, and whether it said that they are damaged. */
const tryNode = async (
  name: string,
  seals: boolean,
): Promise<{ readonly lies: string[]; readonly isNoticed: boolean }> => {
  let opened: Opened;
  try {
    opened = await openDamaged(await openIdbDatabase(name));
  } catch (error) {
    return { lies: isBroken(error) ? [] : [`opening: ${error}`], isNoticed: true };
  }
  const answers = await answersOf(opened, made.questions);
  const isTold = answers.map((one) => one.startsWith('error') && one.includes('The database is damaged'));
  const lies = answers.flatMap((answer, at) =>
    answer === truth[at] || isTold[at] === true
      ? []
      : [`${JSON.stringify(made.questions[at])}: ${answer.slice(0, 200)}`],
  );
  const lie = seals
    ? await trySealing(opened).catch((error: unknown) => (isBroken(error) ? null : String(error)))
    : null;
  await opened.close();
  return { lies: [...lies.slice(0, 2), ...(lie === null ? [] : [lie])], isNoticed: isTold.includes(true) };
};

/** The chain is repaired, starts, is whole, and goes on. */
const checkRepair = async (name: string): Promise<void> => {
  const platform = {
    ...createTestPlatform(),
    openDamaged: async () => salvageInPlace(await openIdbEngine(name)),
  };
  const repaired = await createControl(platform).repair(testConfig('development'), { apply: true });
  expect(repaired).toMatchObject({ ok: true });
  const opened = await openDamaged(await openIdbDatabase(name));
  const { chain, author } = opened.node.parts;
  const { hash, number } = chain.best();
  expect(hash).toBe(made.blocks[number]);
  await checkWhole(opened.node);
  expect(await author.seal({ createEmpty: true, finalize: false })).toMatchObject({ number: number + 1 });
  await opened.close();
};

describe.skipIf(!hasIdb)('records of an IndexedDB, flipped and cut at random places', () => {
  it(
    'are never served: each result is right or says that the database is damaged; a repair brings the chain back',
    async () => {
      const name = freshName();
      onTestFinished(() => deleteDB(name));
      const lies: string[] = [];
      let noticed = 0;
      for (let round = 0; round < places; round += 1) {
        const { what, rows: hurt } = damage(round);
        await deleteDB(name);
        await writeRows(await openIdbEngine(name), hurt);
        const outcome = await tryNode(name, round % 4 === 0);
        lies.push(...outcome.lies.map((lie) => `${what}: ${lie}`));
        if (outcome.isNoticed) noticed += 1;
        if (round % 7 > 0) continue;
        // As it was before the node sealed a block.
        await deleteDB(name);
        await writeRows(await openIdbEngine(name), hurt);
        await checkRepair(name);
      }
      expect(lies).toEqual([]);
      expect(noticed).toBeGreaterThan(places / 2);
    },
    waitMs,
  );
});
