import { beforeAll, describe, expect, it } from 'vitest';
import { signTransfers } from '../bench/signer.ts';
import { bytesToKey } from '../worker/bytes/bytes.ts';
import { bytesToHex, hexToBytes } from '../worker/bytes/hex.ts';
import { createStateCheck } from '../worker/chain/check-state.ts';
import { readJournal } from '../worker/chain/journals.ts';
import { decodePruning, pruningKey } from '../worker/chain/pruning-records.ts';
import { decodeHeaderRecord } from '../worker/chain/records.ts';
import type { BlockHash } from '../worker/codec/identity.ts';
import type { Database } from '../worker/db/database.ts';
import { createMemoryDatabase } from '../worker/db/memory.ts';
import { createNode, type Node } from '../worker/node.ts';
import { createTestPlatform, testConfig } from './platform.ts';
import { openPort } from './ports.ts';
import { createRandom } from './random.ts';
import { sealOn } from './seal-on.ts';

const transfers: string[] = [];
beforeAll(async () => {
  const node = await createNode(createTestPlatform(), testConfig('development'));
  // Accounts that receive the same amount have the same value: one node in many places.
  const recipients = Array.from({ length: 400 }, (_, at) => new Uint8Array(32).fill(at % 251, 1));
  transfers.push(...(await signTransfers(node, 400, { recipients })));
  await node.close();
});

const open = async (
  db: Database,
  statePruning: number | 'archive-canonical' | 'archive',
  options: { readonly journalBytes?: number } = {},
) => {
  const platform = createTestPlatform({ db });
  const node = await createNode(
    { ...platform, ...options },
    testConfig('development', { finality: { kind: 'manual' }, statePruning }),
  );
  return { node, errors: platform.errors };
};

/** Survives the node that closes it. */
const createDisk = (): Database => ({ ...createMemoryDatabase(), close: async () => undefined });

const journalsOf = async (db: Database): Promise<Map<string, Uint8Array>> =>
  new Map((await db.range('journals', {})).flatMap(([, record]) => [...readJournal(record)]));

/** Which of the stored nodes no state of these blocks has, and which states are not whole. */
const audit = async (node: Node, db: Database, kept: ReadonlySet<string>) => {
  const journals = await journalsOf(db);
  const touched = new Set<string>();
  const check = createStateCheck({
    blake2b256: node.parts.crypto.blake2b256,
    load: async (hashes) => {
      const stored = await db.getMany('nodes', hashes);
      for (const hash of hashes) touched.add(bytesToKey(hash));
      return hashes.map((hash, at) => journals.get(bytesToKey(hash)) ?? stored[at] ?? null);
    },
    known: new Map(),
    onProgress: () => undefined,
  });
  const torn: number[] = [];
  for (const [key, record] of await db.range('headers', {})) {
    if (!kept.has(bytesToHex(key))) continue;
    const { header } = decodeHeaderRecord(record);
    if (!(await check.isWhole(header.stateRoot))) torn.push(header.number);
  }
  const stray = (await db.range('nodes', {})).filter(([key]) => !touched.has(bytesToKey(key)));
  return { torn, stray: stray.length };
};

/** The blocks whose states can be read, by asking for each. */
const readable = async ({ parts: { chain } }: Node, db: Database): Promise<Set<string>> => {
  const found = new Set<string>();
  for (const [key] of await db.range('headers', {})) {
    const hash = bytesToHex(key) as string as BlockHash;
    const read = chain.withState(hash, (state) => state.get(hexToBytes('0x3a636f6465')));
    const error = await read.then(
      () => null,
      (cause: unknown) => cause,
    );
    if (error === null) found.add(hash);
    else expect(error).toMatchObject({ code: 'StateDiscarded' });
  }
  return found;
};

/** Seals, forks, sends and finalizes as the seed has it. */
const live = async (node: Node, next: (below: number) => number, steps: number, sent: { count: number }) => {
  const { chain, pool } = node.parts;
  for (let step = 0; step < steps; step++) {
    const act = next(10);
    if (act < 2 && sent.count < transfers.length)
      for (let at = 0; at < 5; at++) await pool.submit(hexToBytes(transfers[sent.count++] as string), 2);
    const above = chain.unfinalized();
    if (act < 3) await sealOn(node, above[next(above.length)]?.hash as BlockHash);
    else await sealOn(node);
    if (act > 5) {
      const blocks = chain.unfinalized();
      // Mostly the best chain; a fork now and then.
      const goal = act === 9 ? blocks[next(blocks.length)] : chain.best();
      await chain.finalize(goal?.hash as BlockHash);
    }
  }
};

describe('state pruning', () => {
  it('keeps the states of the last finalized blocks and of all above, whole, and no node beside them', async () => {
    for (const seed of [1, 2, 3]) {
      const db = createDisk();
      const random = createRandom(seed);
      const next = (below: number): number => Math.floor(random() * below);
      const { node, errors } = await open(db, 4);
      const { chain } = node.parts;
      const sent = { count: 0 };
      for (let round = 0; round < 4; round++) {
        await live(node, next, 50, sent);
        await chain.finalize(chain.best().hash);
        const kept = await readable(node, db);
        const finalized = chain.finalized().number;
        for (let number = 0; number <= finalized; number++)
          expect(kept.has((await chain.loadHashAt(number)) as string)).toBe(number > finalized - 4);
        expect((await audit(node, db, kept)).torn).toEqual([]);
      }
      // What waits for a settlement of many blocks is settled with the next ones.
      const last = chain.best().number;
      for (let number = last; number < last + 40; number++) await chain.finalize(await sealOn(node));
      await node.close();
      const again = await open(db, 4);
      const { base } = decodePruning((await db.get('meta', pruningKey)) as Uint8Array);
      expect(base).toBeGreaterThan(last - 4);
      const kept = new Set<string>();
      for (let number = base; number <= again.node.parts.chain.best().number; number++)
        kept.add((await again.node.parts.chain.loadHashAt(number)) as string);
      expect(await audit(again.node, db, kept)).toEqual({ torn: [], stray: 0 });
      expect((await db.range('lostNodes', {})).length).toBe(0);
      expect((await db.range('nodes', {})).length).toBeGreaterThan(100);
      expect([...errors, ...again.errors]).toEqual([]);
      await again.node.close();
    }
  }, 120_000);
});
void openPort;
