import { describe, expect, it } from 'vitest';
import { loadCrypto } from '../crypto/crypto.ts';
import type { Database } from '../db/database.ts';
import { openIdbDatabase } from '../db/idb.ts';
import { createKeystore } from './keystore.ts';

const crypto = await loadCrypto();

// A browser has the real IndexedDB; Node.js has none. The names are variables so that no bundler resolves
// them.
const [fake, sqlite, fs, os] = ['fake-indexeddb/auto', '../db/sqlite.ts', 'node:fs', 'node:os'];
const inBrowser = globalThis.indexedDB !== undefined;
if (!inBrowser) await import(/* @vite-ignore */ fake);

type Place = { readonly name: string; readonly create: () => Promise<() => Promise<Database>> };

const places: Place[] = [
  {
    name: 'IndexedDB',
    create: async () => {
      const name = `tabnode-keys-${Date.now()}`;
      return () => openIdbDatabase(name);
    },
  },
];
if (!inBrowser)
  places.push({
    name: 'SQLite',
    create: async () => {
      const { openSqliteDatabase } = await import(/* @vite-ignore */ sqlite);
      const [{ mkdtempSync }, { tmpdir }] = [
        await import(/* @vite-ignore */ fs),
        await import(/* @vite-ignore */ os),
      ];
      const folder: string = mkdtempSync(`${tmpdir()}/tabnode-keys-`);
      return () => openSqliteDatabase(`${folder}/chain.sqlite`);
    },
  });

describe.each(places)('a keystore in $name', ({ create }) => {
  it('has inserted and generated keys again after it is reopened, but none of an attempt that was not applied', async () => {
    const open = await create();
    const first = await open();
    const before = createKeystore({ crypto, db: first });
    await before.load();
    before.insertSuri('babe', 'sr25519', '//Alice///secret');
    before.generate('gran', 'ed25519', null);
    await before.insert('beef', '//Alice', new Uint8Array(33).fill(2));
    const attempt = before.attempt();
    attempt.host.generate('imon', 'sr25519', null);
    before.attempt().host.generate('audi', 'sr25519', null);
    await attempt.apply();
    await before.flush();
    await first.close();
    const second = await open();
    const after = createKeystore({ crypto, db: second });
    await after.load();
    for (const type of ['babe', 'gran', 'imon']) {
      expect(before.pairs(type).length).toBe(1);
      expect(after.pairs(type)).toEqual(before.pairs(type));
    }
    expect(after.publicKeys('beef', 'ecdsa')).toEqual([new Uint8Array(33).fill(2)]);
    expect(after.publicKeys('audi', 'sr25519')).toEqual([]);
    await second.close();
  });
});
