import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bytesToHex } from '../../worker/bytes/hex.ts';
import { loadCrypto } from '../../worker/crypto/crypto.ts';
import type { Database } from '../../worker/db/database.ts';
import { createKeystore } from '../../worker/keystore/keystore.ts';
import { openOffchainStorage } from '../../worker/offchain/storage.ts';
import { startDevNode } from '../rigs/dev-node.ts';
import { createFullDisk, writesTo } from './full-disk.ts';

const crypto = await loadCrypto();
const keyOf = (suri: string) => crypto.suriToPair(suri, 'sr25519').publicKey;
const quota = { code: 'StorageQuota' };

let disk: ReturnType<typeof createFullDisk>;
let errors: unknown[];
const onError = (error: unknown): void => void errors.push(error);
beforeEach(() => {
  disk = createFullDisk();
  errors = [];
});

describe('a key that could not be written', () => {
  const open = async () => {
    const keystore = createKeystore({ crypto, db: disk.db, onError });
    await keystore.load();
    return keystore;
  };
  type Keystore = Awaited<ReturnType<typeof open>>;
  const namesIn = (keystore: Keystore): string[] =>
    keystore
      .list()
      .map(({ keyType, publicKey }) => keyType + bytesToHex(publicKey))
      .sort();
  /** Memory has exactly the keys that a restart would find. */
  const expectSame = async (keystore: Keystore) => expect(namesIn(keystore)).toEqual(namesIn(await open()));

  it.each([
    ['inserted', async (keystore: Keystore) => keystore.insert('babe', '//Bob', keyOf('//Bob'))],
    [
      'generated',
      async (keystore: Keystore) => {
        keystore.generate('gran', 'ed25519', null);
        await keystore.flush();
      },
    ],
    [
      'of an attempt',
      async (keystore: Keystore) => {
        const attempt = keystore.attempt();
        attempt.host.generate('gran', 'ed25519', null);
        attempt.host.generate('babe', 'sr25519', null);
        await attempt.apply();
      },
    ],
    [
      'inserted again, with another secret',
      async (keystore: Keystore) => keystore.insert('babe', '//Alice//other', keyOf('//Alice')),
    ],
    ['removed', async (keystore: Keystore) => keystore.retain([])],
  ])('%s is as it was, its caller gets the error, and later ones are written', async (_, change) => {
    const keystore = await open();
    await keystore.insert('babe', '//Alice', keyOf('//Alice'));
    const before = namesIn(keystore);
    disk.fill();
    await expect(change(keystore)).rejects.toMatchObject(quota);
    expect(namesIn(keystore)).toEqual(before);
    expect(keystore.pairs('babe')).toHaveLength(1);
    expect(errors).toMatchObject([quota]);
    disk.free();
    await keystore.flush();
    await change(keystore);
    await keystore.insert('imon', '//Carol', keyOf('//Carol'));
    await keystore.flush();
    await expectSame(keystore);
    expect(errors).toHaveLength(1);
  });

  it('spoils no other write in progress, and who inserts the same key waits for the same write', async () => {
    const keystore = await open();
    let isFirst = true;
    disk.fill(() => {
      const refuses = isFirst;
      isFirst = false;
      return refuses;
    });
    const results = await Promise.allSettled([
      keystore.insert('babe', '//Alice', keyOf('//Alice')),
      keystore.insert('babe', '//Alice', keyOf('//Alice')),
      keystore.insert('babe', '//Bob', keyOf('//Bob')),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
    await keystore.flush();
    await expectSame(keystore);
    expect(namesIn(keystore)).toEqual([`babe${bytesToHex(keyOf('//Bob'))}`]);
  });

  it('gives way to one inserted since', async () => {
    const keystore = await open();
    disk.fill();
    const first = keystore.insert('babe', '//Alice', keyOf('//Alice'));
    disk.free();
    const second = keystore.insert('babe', '//Alice//other', keyOf('//Alice'));
    await expect(first).rejects.toMatchObject(quota);
    await second;
    await expectSame(keystore);
    expect(namesIn(keystore)).toHaveLength(1);
  });
});

describe('an offchain value that could not be written', () => {
  const genesis = `0x${'00'.repeat(32)}` as Parameters<typeof openOffchainStorage>[1];
  const block = `0x${'11'.repeat(32)}` as typeof genesis;
  const [key, old, next] = [Uint8Array.of(1), Uint8Array.of(2), Uint8Array.of(3)];
  const asynchronous = ({ getSync: _, ...db }: Database): Database => db;

  it.each([
    ['with a cache', asynchronous],
    ['without one', (db: Database) => db],
  ])('is what it was, and later ones are written: %s', async (_, adapt) => {
    const storage = await openOffchainStorage(adapt(disk.db), genesis, onError);
    await storage.write(null, key, old);
    disk.fill();
    await expect(storage.write(null, key, next)).rejects.toMatchObject(quota);
    await expect(storage.write(null, key, null)).rejects.toMatchObject(quota);
    expect(await storage.load(null, key)).toEqual(old);
    expect(errors).toMatchObject([quota, quota]);
    disk.free();
    await storage.flush();
    await storage.write(null, key, next);
    await storage.flush();
    expect(await storage.load(null, key)).toEqual(next);
  });

  it('of a retracted block is removed later, if it could not be at once', async () => {
    const storage = await openOffchainStorage(disk.db, genesis, onError);
    await storage.write(block, key, old);
    disk.fill();
    storage.onBestMoved([], [block]);
    await expect(storage.flush()).rejects.toMatchObject(quota);
    disk.free();
    storage.onBestMoved([], [block]);
    await storage.flush();
    expect(await disk.disk.range('offchain')).toEqual([]);
  });
});

describe('on a node', () => {
  let dev: Awaited<ReturnType<typeof startDevNode>>;
  beforeEach(async () => {
    dev = await startDevNode({ db: disk.db });
  });
  afterEach(async () => {
    expect(dev.platform.errors).toMatchObject([quota, quota, quota]);
    dev.platform.errors.length = 0;
    await dev.stop();
  });

  it('author_insertKey, author_rotateKeys and offchain_localStorageSet fail once, and so does nothing after', async () => {
    const insert = () => dev.call('author_insertKey', 'babe', '//Bob', bytesToHex(keyOf('//Bob')));
    const hasKey = () => dev.call('author_hasKey', bytesToHex(keyOf('//Bob')), 'babe');
    const set = () => dev.call('offchain_localStorageSet', 'PERSISTENT', '0x01', '0x02');
    disk.fill((batch) => writesTo('keystore')(batch) || writesTo('offchain')(batch));
    await expect(insert()).rejects.toMatchObject({ code: 1040 });
    await expect(dev.call('author_rotateKeys')).rejects.toMatchObject({ code: 1040 });
    await expect(set()).rejects.toHaveProperty('code');
    expect(await hasKey()).toBe(false);
    disk.free();
    await dev.call('dev_snapshot', 'kept');
    await insert();
    expect(await hasKey()).toBe(true);
    expect(await dev.call('author_rotateKeys')).toMatch(/^0x/);
    await set();
    expect(await dev.call('offchain_localStorageGet', 'PERSISTENT', '0x01')).toBe('0x02');
  });
});
