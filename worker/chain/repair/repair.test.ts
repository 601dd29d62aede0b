import { describe, expect, it } from 'vitest';
import type { RepairReport } from '../../../src/protocol/node.ts';
import { checkWhole } from '../../../test/chain/whole-chain.ts';
import { startDevNode } from '../../../test/rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../../../test/rigs/platform.ts';
import { createRandom } from '../../../test/rigs/random.ts';
import { sealOn } from '../../../test/rigs/seal-on.ts';
import { bytesToKey, textToBytes } from '../../bytes/bytes.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import { encodeEvidence, evidenceKey } from '../../consensus/equivocations.ts';
import { createControl } from '../../control.ts';
import { checkedDatabase, type Engine, uncheckedDatabase } from '../../db/checked.ts';
import { createMemoryEngine } from '../../db/memory.ts';
import { migrate } from '../../db/migrate.ts';
import { type StoreName, storeNames } from '../../db/stores.ts';
import { createNode, type Node } from '../../node.ts';
import { numberKey } from '../records.ts';

type Rows = readonly (readonly [store: StoreName, key: Uint8Array, stored: Uint8Array])[];

const readAll = async (engine: Engine): Promise<Rows> => {
  const rows: [StoreName, Uint8Array, Uint8Array][] = [];
  for (const store of storeNames)
    for (const [key, stored] of await engine.range(store)) rows.push([store, key, stored]);
  return rows;
};

const writeAll = async (rows: Rows): Promise<Engine> => {
  const engine = { ...createMemoryEngine(), close: async () => undefined };
  await engine.write({ puts: rows, deletes: [] }, (_store, _key, stored) => stored);
  return engine;
};

const config = testConfig('development', { finality: { kind: 'manual' } });

const length = 12;

/** A chain of 12 blocks, finalized at #9, with a fork and snapshots of #6 and of the head. */
const make = async () => {
  const engine = { ...createMemoryEngine(), close: async () => undefined };
  await migrate(uncheckedDatabase(engine));
  const dev = await startDevNode({ db: checkedDatabase(engine), changes: { finality: { kind: 'manual' } } });
  const blocks: BlockHash[] = [dev.node.parts.chain.genesisHash];
  for (let number = 1; number <= length; number++) {
    blocks.push(await sealOn(dev.node));
    if (number === 6) await dev.call('dev_snapshot', 'early');
  }
  await sealOn(dev.node, blocks[10] as BlockHash);
  await dev.node.parts.chain.finalize(blocks[9] as BlockHash);
  await dev.call('dev_snapshot', 'late');
  // As after a kill, with trie nodes still in journals.
  const killed = await readAll(engine);
  await dev.stop();
  return { rows: await readAll(engine), killed, blocks };
};

const made = make();

/** The database with damaged records: each deleted, or with one bit flipped. */
const damage = async (
  isHit: (store: StoreName, key: Uint8Array) => boolean,
  how: 'flip' | 'lose' = 'flip',
): Promise<Engine> => {
  const { rows } = await made;
  let hits = 0;
  const left = rows.flatMap(([store, key, stored]) => {
    if (!isHit(store, key)) return [[store, key, stored] as const];
    hits += 1;
    if (how === 'lose') return [];
    const bytes = stored.slice();
    const at = bytes.length >> 1;
    bytes[at] = (bytes[at] as number) ^ 1;
    return [[store, key, bytes] as const];
  });
  expect(hits).toBeGreaterThan(0);
  return writeAll(left);
};

const repair = async (damaged: Engine, apply = true): Promise<RepairReport> => {
  const outcome = await createControl(createTestPlatform({ damaged })).repair(config, { apply });
  if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
  return outcome.value;
};

const start = (engine: Engine): Promise<Node> =>
  createNode(createTestPlatform({ db: checkedDatabase(engine) }), config);

/** Everything up to the head is intact, and the chain continues. */
const checkRepaired = async (engine: Engine, report: RepairReport): Promise<void> => {
  const { blocks } = await made;
  expect(report).toMatchObject({ outcome: 'repaired', head: { hash: blocks[report.head.number] } });
  const node = await start(engine);
  const { chain } = node.parts;
  expect([chain.best().number, chain.finalized().number]).toEqual([
    report.head.number,
    report.finalizedNumber,
  ]);
  await checkWhole(node);
  await sealOn(node);
  await sealOn(node);
  await chain.finalize(chain.best().hash);
  expect(chain.finalized().number).toBe(report.head.number + 2);
  await checkWhole(node);
  await node.close();
  expect(await repair(engine)).toMatchObject({ outcome: 'whole', lostBlocks: null });
};

const isKey = (key: Uint8Array, other: Uint8Array): boolean => bytesToKey(key) === bytesToKey(other);
const hit =
  (wanted: StoreName, ...keys: readonly Uint8Array[]) =>
  (store: StoreName, key: Uint8Array): boolean =>
    store === wanted && keys.some((one) => isKey(one, key));
const blockKey = async (number: number): Promise<Uint8Array> =>
  blockHashToBytes((await made).blocks[number] as BlockHash);

describe('a damaged chain is reverted to its last intact block', () => {
  it('an intact chain is not changed, including its forks', async () => {
    const { rows } = await made;
    const engine = await writeAll(rows);
    expect(await repair(engine)).toMatchObject({
      outcome: 'whole',
      head: { number: length },
      finalizedNumber: 9,
      checkedStates: [length, 9],
      lostBlocks: null,
      damaged: {},
    });
    expect(await readAll(engine)).toEqual(rows);
  });

  it.each(['headers', 'bodies'] as const)('block #11 lost its record in %s', async (store) => {
    const engine = await damage(hit(store, await blockKey(11)));
    await expect(start(engine).then((node) => checkWhole(node))).rejects.toMatchObject({
      code: 'StorageBroken',
    });
    const planned = await repair(engine, false);
    expect(planned).toMatchObject({ outcome: 'planned', lostSnapshots: ['late'] });
    const report = await repair(engine);
    expect(report).toEqual({ ...planned, outcome: 'repaired' });
    expect(report).toMatchObject({
      head: { number: 10 },
      finalizedNumber: 9,
      lostBlocks: { from: 11, to: 12 },
      damaged: { [store]: 1 },
    });
    await checkRepaired(engine, report);
  });

  it('a block below the finalized one is lost: finality goes back with the head', async () => {
    const engine = await damage(hit('headers', await blockKey(5)), 'lose');
    const report = await repair(engine);
    expect(report).toMatchObject({
      head: { number: 4 },
      finalizedNumber: 4,
      checkedStates: [4],
      lostBlocks: { from: 5, to: 12 },
      lostSnapshots: ['early', 'late'],
    });
    await checkRepaired(engine, report);
  });

  it('evidence of equivocations is kept when the chain goes back; GRANDPA records are dropped', async () => {
    const engine = await damage(hit('headers', await blockKey(11)));
    const zeros = new Uint8Array(32);
    const header = { parentHash: zeros, number: 5, stateRoot: zeros, extrinsicsRoot: zeros, digest: [] };
    const found = { engine: 'babe', slot: 5n, offender: zeros, first: header, second: header } as const;
    const key = evidenceKey({ number: 1, found });
    const auxiliary = async () => (await engine.range('auxiliary')).map(([one]) => one);
    await checkedDatabase(engine).write({
      puts: [
        ['auxiliary', key, encodeEvidence(found)],
        ['auxiliary', textToBytes('grandpa authority set'), zeros],
      ],
      deletes: [],
    });
    expect((await auxiliary()).length).toBe(2);
    const report = await repair(engine);
    expect(await auxiliary()).toEqual([key]);
    await checkRepaired(engine, report);
    const node = await start(engine);
    expect(node.parts.equivocations.list()).toEqual([found]);
    await node.close();
  });

  it('heights, the chain record and the schema version are restored', async () => {
    const lost = [textToBytes('chain'), textToBytes('schema')];
    const engine = await damage(
      (store, key) => hit('meta', ...lost)(store, key) || hit('numbers', numberKey(7))(store, key),
    );
    await expect(migrate(uncheckedDatabase(engine))).rejects.toMatchObject({ code: 'StorageBroken' });
    const report = await repair(engine);
    // The finalized block is no longer known.
    expect(report).toMatchObject({ head: { number: 12 }, finalizedNumber: 12, lostBlocks: null });
    await checkRepaired(engine, report);
  });

  it('a state that lost its newest nodes', async () => {
    const { killed } = await made;
    const newest = killed.filter(([store]) => store === 'journals').at(-2) as Rows[number];
    const engine = await writeAll(killed.filter((row) => row !== newest));
    const report = await repair(engine);
    expect(report).toMatchObject({ head: { number: 11 }, lostBlocks: { from: 12, to: 12 }, damaged: {} });
    await checkRepaired(engine, report);
  });

  it('block 0 and its state are recomputed', async () => {
    const genesis = await blockKey(0);
    const engine = await damage(
      (store, key) =>
        store === 'nodes' || ((store === 'headers' || store === 'bodies') && isKey(key, genesis)),
    );
    const report = await repair(engine);
    expect(report).toMatchObject({ head: { number: 0 }, finalizedNumber: 0 });
    expect(report.healedNodes).toBeGreaterThan(10);
    await checkRepaired(engine, report);
  });

  it('unreadable dev states, keys and snapshots are counted; the blocks stay', async () => {
    const engine = await damage((store) => store === 'snapshots');
    await expect(start(engine)).rejects.toMatchObject({ code: 'StorageBroken' });
    const report = await repair(engine);
    expect(report).toMatchObject({ head: { number: 12 }, damaged: { snapshots: 2 }, lostBlocks: null });
    await checkRepaired(engine, report);
  });

  it('another chain is not touched', async () => {
    const { rows } = await made;
    const engine = await writeAll(rows);
    const control = createControl(createTestPlatform({ damaged: engine }));
    const outcome = await control.repair({ ...config, chain: 'local_testnet' }, { apply: true });
    expect(outcome).toMatchObject({ ok: false, error: { code: 'BadSpec' } });
    expect(await readAll(engine)).toEqual(rows);
  });

  it('50 random flips in records', async () => {
    const { rows: closed, killed } = await made;
    const random = createRandom(50);
    const pick = (count: number): number => Math.floor(random() * count);
    let repaired = 0;
    for (let round = 0; round < 50; round++) {
      const rows = round % 2 === 0 ? closed : killed;
      const [store, key, stored] = rows[pick(rows.length)] as Rows[number];
      const part = { key: key.slice(), stored: stored.slice() };
      const bytes = random() < 0.3 ? part.key : part.stored;
      const at = pick(bytes.length);
      bytes[at] = (bytes[at] as number) ^ (1 << pick(8));
      const engine = await writeAll(
        rows.map((row) => (row[1] === key ? ([store, part.key, part.stored] as const) : row)),
      );
      const report = await repair(engine);
      if (report.outcome === 'whole') {
        // A trie node that only older states need.
        expect(store).toBe('nodes');
        continue;
      }
      repaired += 1;
      await checkRepaired(engine, report);
    }
    expect(repaired).toBeGreaterThan(10);
  }, 240_000);
});
