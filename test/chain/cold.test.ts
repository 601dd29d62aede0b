import { beforeAll, describe, expect, it } from 'vitest';
import { signTransfers } from '../../bench/signer.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import type { Block } from '../../worker/codec/block.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createNode, type Node } from '../../worker/node.ts';
import type { Backend } from '../../worker/state/backend.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

const transferCount = 1000;

type SlowDisk = {
  readonly db: Database;
  rounds(): number;
  nodes(): number;
  bytes(): number;
  isReading(): boolean;
};

/** An asynchronous database, like IndexedDB, that counts reads and trie nodes read. */
const createSlowDisk = (): SlowDisk => {
  const { getSync: _none, ...disk } = createMemoryDatabase();
  let rounds = 0;
  let nodes = 0;
  let bytes = 0;
  let isReading = false;
  const getMany: Database['getMany'] = async (store, keys) => {
    isReading = true;
    // A turn of the event loop, which is what a browser's database takes.
    await new Promise((resolve) => setTimeout(resolve, 1));
    const found = await disk.getMany(store, keys);
    isReading = false;
    if (store !== 'nodes' || keys.length === 0) return found;
    rounds++;
    nodes += keys.length;
    for (const node of found) bytes += node?.length ?? 0;
    return found;
  };
  const db = { ...disk, getMany, close: async () => undefined };
  return { db, rounds: () => rounds, nodes: () => nodes, bytes: () => bytes, isReading: () => isReading };
};

/**
 * One clock for all nodes. If a node's clock started later, blocks of a slow author would be in its future.
 */
const now = (): number => Date.UTC(2030, 0, 1) + Math.floor(performance.now());

const open = (db?: Database): Promise<Node> =>
  createNode(createTestPlatform(db === undefined ? { now } : { db, now }), testConfig('development'));

const loadBest = async ({ parts: { chain } }: Node): Promise<Block> => {
  const block = await chain.loadBlock(chain.best().hash);
  if (block === null) throw new Error('no best block');
  return block;
};

/** Counts verifications of signatures, and those during a read of the database. */
const watchSignatures = ({ parts: { crypto } }: Node, disk: SlowDisk) => {
  const { sr25519Verify } = crypto;
  let all = 0;
  let meanwhile = 0;
  Object.assign(crypto, {
    sr25519Verify: (...args: Parameters<typeof sr25519Verify>) => {
      all++;
      if (disk.isReading()) meanwhile++;
      return sr25519Verify(...args);
    },
  });
  return { all: () => all, meanwhile: () => meanwhile };
};

/** Counts calls of a method on the runtime of a node's best block. */
const countCalls = async ({ parts: { chain } }: Node, method: string): Promise<() => number> => {
  const runtime = await chain.runtimeAt(chain.best().hash);
  const { call } = runtime;
  let count = 0;
  Object.assign(runtime, {
    call: (...args: Parameters<typeof call>) => {
      if (args[1] === method) count++;
      return call(...args);
    },
  });
  return () => count;
};

const blocks: Block[] = [];
const recipients: Uint8Array[] = [];
beforeAll(async () => {
  const node = await open();
  const { crypto, pool, author } = node.parts;
  for (let at = 0; at < transferCount; at++)
    recipients.push(crypto.blake2b256(Uint8Array.of(1, at & 255, at >> 8)));
  const twice = [...recipients, ...recipients];
  const signed = await signTransfers(node, 2 * transferCount, { recipients: twice, senders: 1 });
  for (const from of [0, transferCount]) {
    for (const text of signed.slice(from, from + transferCount))
      expect(await pool.submit(hexToBytes(text), 2)).toMatchObject({ ok: true });
    expect(await author.seal({ createEmpty: false, finalize: false })).toMatchObject({
      ok: true,
      included: transferCount,
    });
    blocks.push(await loadBest(node));
  }
  await node.close();
}, 120_000);

describe('with an asynchronous database and empty caches', () => {
  it('a block of 1,000 transfers takes at most 8 attempts', async () => {
    const disk = createSlowDisk();
    const before = await open(disk.db);
    expect(await before.parts.chain.import(blocks[0] as Block)).toMatchObject({ ok: true, number: 1 });
    await before.close();

    const node = await open(disk.db);
    const executions = await countCalls(node, 'Core_execute_block');
    const passes = await countCalls(node, 'Core_initialize_block');
    const [rounds, nodes] = [disk.rounds(), disk.nodes()];
    const signatures = watchSignatures(node, disk);
    expect(await node.parts.chain.import(blocks[1] as Block)).toMatchObject({ ok: true, number: 2 });
    // Attempts and trials of the whole block, and how often its transactions were tried individually.
    expect(executions()).toBeLessThanOrEqual(8);
    expect(passes()).toBeLessThanOrEqual(3);
    expect(disk.nodes() - nodes).toBeGreaterThan(transferCount);
    expect(disk.rounds() - rounds).toBeLessThan(60);
    // Some are verified one by one, the seal among them, and some while the database reads.
    expect(signatures.all()).toBeLessThan(transferCount);
    expect(signatures.meanwhile()).toBeGreaterThan(0);
    expect(node.parts.executor.liveInstances()).toBeLessThanOrEqual(2);
    await node.close();
  }, 120_000);

  it('a read of 1,000 keys takes about as many database round trips as the trie is deep', async () => {
    const disk = createSlowDisk();
    const before = await open(disk.db);
    await before.parts.chain.import(blocks[0] as Block);
    await before.close();

    const node = await open(disk.db);
    const { chain, crypto } = node.parts;
    const text = (name: string): Uint8Array => crypto.twox128(new TextEncoder().encode(name));
    const prefix = [text('System'), text('Account')].map(bytesToHex).map((hex) => (hex as string).slice(2));
    const keys = recipients.map((id) =>
      hexToBytes(
        `0x${prefix.join('')}${[crypto.blake2b128(id), id].map((part) => (bytesToHex(part) as string).slice(2)).join('')}`,
      ),
    );
    const rounds = disk.rounds();
    const read = (backend: Backend) => keys.map((key) => backend.get(key));
    const values = await chain.withState(chain.best().hash, read, read);
    expect(values.every((value) => value !== null)).toBe(true);
    expect(disk.rounds() - rounds).toBeLessThanOrEqual(12);
    const roundsOfReads = disk.rounds();
    const proof = await chain.withState(chain.best().hash, (backend) => backend.prove(keys));
    expect(proof.length).toBeGreaterThan(transferCount);
    expect(disk.rounds() - roundsOfReads).toBeLessThanOrEqual(12);
    await node.close();
  }, 120_000);

  it('the runtime of an old block is found without reading its code if that is loaded', async () => {
    const disk = createSlowDisk();
    const before = await open(disk.db);
    await before.parts.chain.import(blocks[0] as Block);
    await before.close();

    const platform = createTestPlatform({ db: disk.db });
    const node = await createNode(platform, testConfig('development'));
    const { chain, executor, crypto } = node.parts;
    const code = await platform.loadRuntime();
    executor.load(crypto.blake2b256(code), code);
    const bytes = disk.bytes();
    expect(await chain.runtimeAt(chain.genesisHash)).toBe(await chain.runtimeAt(chain.best().hash));
    expect(disk.bytes() - bytes).toBeLessThan(100_000);
    await node.close();
  }, 120_000);
});
