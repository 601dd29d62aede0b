import { describe, expect, test } from 'vitest';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import { loadCrypto } from '../../crypto/crypto.ts';
import type { Database } from '../../db/database.ts';
import { createMemoryDatabase } from '../../db/memory.ts';
import { createExecutor } from '../../executor/executor.ts';
import { encodeChainRecord, encodeHeaderRecord, encodeNumberRecord, numberKey } from '../records.ts';
import { openTrieStore } from '../states/trie-store.ts';
import { chainKey } from '../store.ts';
import { createBlockTree, type TreeBlock } from '../tree.ts';
import { openTree } from './open.ts';
import { type ChainSpec, plainSpec } from './spec.ts';

const identity = new Uint8Array(32).fill(9);
const genesis = { kind: 'raw', top: [], children: [] } as const;
const spec: ChainSpec = {
  ...{ name: 'n', id: 'i', chainType: 'Development', properties: {} },
  ...plainSpec,
  genesis,
};
const hashOf = (number: number, fork = 0): BlockHash =>
  bytesToBlockHash(Uint8Array.of(number >> 8, number & 255, fork, ...new Uint8Array(29)));

const open = async (db: Database) => {
  const crypto = await loadCrypto();
  const store = await openTrieStore(db, {
    blake2b256: crypto.blake2b256,
    cacheBytes: 10_000,
    journalBytes: 10_000,
    onError: (error) => {
      throw error;
    },
  });
  return (await openTree({ crypto, db, executor: createExecutor({ crypto }), store }, spec, identity)).tree;
};

/**
 * Blocks 5 (finalized) to 300, with a fork of two blocks at 40 and weights that do not follow from the
 * number.
 */
const blocks = ((): TreeBlock[] => {
  const main = Array.from({ length: 296 }, (_, index): TreeBlock => {
    const number = index + 5;
    const meta = { weight: Math.floor(number / 3), isOwn: number % 2 === 0 };
    return { hash: hashOf(number), number, parent: hashOf(number - 1), ...meta };
  });
  const first = { hash: hashOf(41, 1), number: 41, parent: hashOf(40), weight: 14, isOwn: true };
  return [...main, first, { hash: hashOf(42, 1), number: 42, parent: first.hash, weight: 15, isOwn: false }];
})();
const leaves = [hashOf(300), hashOf(42, 1)];

/** With `weighted` false, number records have their old format without weights. */
const fill = async (db: Database, weighted: (number: number) => boolean): Promise<void> => {
  const empty = new Uint8Array(32);
  const at = (number: number) => ({ hash: hashOf(number), number });
  const record = { genesis: hashOf(0), identity, best: at(300), finalized: at(5), leaves };
  await db.write({
    deletes: [],
    puts: [
      ['meta', chainKey, encodeChainRecord(record)],
      ...blocks.map(({ hash, number, parent, ...meta }) => {
        const header = { number, stateRoot: empty, extrinsicsRoot: empty, digest: [] };
        const parentHash = blockHashToBytes(parent);
        return [
          'headers',
          blockHashToBytes(hash),
          encodeHeaderRecord({ ...header, parentHash }, meta),
        ] as const;
      }),
      ...blocks
        .filter(({ hash, number }) => hash === hashOf(number))
        .map((block) => {
          const value = encodeNumberRecord(block);
          return [
            'numbers',
            numberKey(block.number),
            weighted(block.number) ? value : value.slice(0, 32),
          ] as const;
        }),
    ],
  });
};

describe('a reopened chain', () => {
  test.each([
    ['of this version', () => true],
    ['whose number records hold no weights', () => false],
    ['with both kinds of number records', (number: number) => number > 150],
  ] as const)('%s has the same tree', async (_, weighted) => {
    const db = createMemoryDatabase();
    await fill(db, weighted);
    const tree = await open(db);
    const expected = createBlockTree(blocks[0] as TreeBlock);
    for (const block of blocks.slice(1)) expected.insert(block);
    expect(tree.finalized()).toEqual(expected.finalized());
    expect(tree.best()).toEqual(blocks[295]);
    expect(new Set(tree.leaves())).toEqual(new Set(expected.leaves()));
    for (const block of blocks) expect(tree.get(block.hash)).toEqual(block);
  });
  test('reads no header of the best chain except the finalized one', async () => {
    const db = createMemoryDatabase();
    await fill(db, () => true);
    const reads: string[] = [];
    const spy: Database = {
      ...db,
      get: (store, key) => {
        if (store === 'headers') reads.push(bytesToBlockHash(key));
        return db.get(store, key);
      },
    };
    await open(spy);
    expect(new Set(reads)).toEqual(new Set([hashOf(5), hashOf(41, 1), hashOf(42, 1)]));
  });
  const broken = { code: 'StorageBroken', message: expect.stringContaining('Nothing was changed') };
  const at = (number: number) => ({ hash: hashOf(number), number });
  const whole = { genesis: hashOf(0), identity, best: at(300), finalized: at(5), leaves };
  test.each([
    ['best block', { ...whole, best: at(301) }],
    ['best block, which is another at its height', { ...whole, best: { hash: hashOf(300, 7), number: 300 } }],
    ['best block, which no branch leads to', { ...whole, leaves: [hashOf(42, 1)] }],
    ['finalized block', { ...whole, finalized: { hash: hashOf(5, 7), number: 5 } }],
    ['leaf', { ...whole, leaves: [...leaves, hashOf(60, 3)] }],
  ])('is refused if the chain record names a missing block: %s', async (_, record) => {
    const db = createMemoryDatabase();
    await fill(db, () => true);
    await db.write({ puts: [['meta', chainKey, encodeChainRecord(record)]], deletes: [] });
    const before = await db.range('meta');
    await expect(open(db)).rejects.toMatchObject(broken);
    expect(await db.range('meta')).toEqual(before);
  });
  test.each([
    ['a block of the best chain', [['numbers', numberKey(150)]]],
    ['its first block', [['numbers', numberKey(5)]]],
    ['its last block', [['numbers', numberKey(300)]]],
    ['a header of a branch', [['headers', blockHashToBytes(hashOf(41, 1))]]],
    ['the record of the chain', [['meta', chainKey]]],
  ] as const)('is refused if the disk lost %s', async (_, deletes) => {
    const db = createMemoryDatabase();
    await fill(db, () => true);
    await db.write({ puts: [], deletes });
    await expect(open(db)).rejects.toMatchObject(broken);
  });
  test('is refused if a branch leads past the finalized block', async () => {
    const db = createMemoryDatabase();
    await fill(db, () => true);
    const header = { number: 5, stateRoot: identity, extrinsicsRoot: identity, digest: [] };
    const stray = encodeHeaderRecord(
      { ...header, parentHash: blockHashToBytes(hashOf(4)) },
      { weight: 1, isOwn: false },
    );
    const record = encodeChainRecord({ ...whole, leaves: [...leaves, hashOf(5, 2)] });
    await db.write({
      puts: [
        ['headers', blockHashToBytes(hashOf(5, 2)), stray],
        ['meta', chainKey, record],
      ],
      deletes: [],
    });
    await expect(open(db)).rejects.toMatchObject(broken);
  });
});
