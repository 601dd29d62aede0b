import { expect, it } from 'vitest';
import { noBytes } from '../../../bytes/bytes.ts';
import { hexToBytes } from '../../../bytes/hex.ts';
import { openTrieStore } from '../../../chain/states/trie-store.ts';
import type { BlockHash } from '../../../codec/identity.ts';
import { loadCrypto } from '../../../crypto/crypto.ts';
import type { Database } from '../../../db/database.ts';
import { openIdbDatabase } from '../../../db/idb.ts';
import { createBackend, createEmptyBackend } from '../../../state/backend.ts';
import { mainChanges } from '../../../state/changes.ts';
import type { RpcParts } from '../../parts.ts';
import { textOf } from '../../results.ts';
import { createBudget, listKeys } from './walks.ts';

// Browsers have the real IndexedDB; Node.js has none. The name is a variable so that no bundler resolves it.
const fake = 'fake-indexeddb/auto';
if (globalThis.indexedDB === undefined) await import(/* @vite-ignore */ fake);

const { blake2b256 } = await loadCrypto();
const fail = (error: unknown): never => {
  throw error;
};

const pageSize = 1000;
const keys = Array.from({ length: 3000 }, (_, at) => blake2b256(Uint8Array.of(at & 255, at >> 8)));

/** A state of these keys in IndexedDB, and what is read from there. */
const openState = async () => {
  const db = await openIdbDatabase(`tabnode-walk-${Date.now()}`);
  const empty = createEmptyBackend({ blake2b256, source: { getNode: () => null } });
  const { nodes, backend } = empty.commit(mainChanges(keys.map((key) => [key, key.slice(0, 20)])), 1);
  await db.write({ puts: nodes.map(([hash, bytes]) => ['nodes', hash, bytes] as const), deletes: [] });
  const count = { nodes: 0, calls: 0 };
  const counted: Database = {
    ...db,
    getMany: (name, hashes) => {
      count.nodes += hashes.length;
      count.calls++;
      return db.getMany(name, hashes);
    },
  };
  const options = { blake2b256, cacheBytes: 2_000_000, journalBytes: 0, onError: fail };
  const store = await openTrieStore(counted, options);
  return { db, store, count, nodes: nodes.length, root: backend.root };
};

it('a walk reads many nodes at a time and none twice, and leaves what blocks use in their cache', async () => {
  const { db, store, count, nodes, root } = await openState();
  const state = createBackend({ blake2b256, source: store }, root);
  const withState: RpcParts['chain']['withState'] = (_at, read) => store.run(() => read(state));
  const parts = { chain: { withState, scans: store.scans } as RpcParts['chain'] };
  const readsOf = async (work: () => Promise<void>): Promise<typeof count> => {
    const before = { ...count };
    await work();
    return { nodes: count.nodes - before.nodes, calls: count.calls - before.calls };
  };
  const readUsed = async (): Promise<void> => {
    for (const key of keys.slice(0, 50)) await store.run(() => state.get(key));
  };
  const walk = async (): Promise<void> => {
    const found: string[] = [];
    for (let start: Uint8Array | null = null; ; start = hexToBytes(found.at(-1) as string)) {
      const options = { at: '0x00' as BlockHash, prefix: noBytes, start, count: pageSize };
      const page = await listKeys(parts, options, createBudget({ maxResponseBytes: 1e6 }));
      const list = JSON.parse(textOf(page) as string) as string[];
      found.push(...list);
      if (list.length < pageSize) break;
    }
    expect(found.length).toBe(keys.length);
    expect(found.toSorted()).toEqual(found);
  };
  expect((await readsOf(readUsed)).nodes).toBeGreaterThan(50);
  const bytes = store.cache.bytes();
  const cold = await readsOf(walk);
  // Those that blocks use are in memory already.
  expect(cold.nodes).toBeGreaterThan(nodes * 0.9);
  expect(cold.nodes).toBeLessThanOrEqual(nodes);
  expect(cold.calls).toBeLessThan(30);
  expect(store.cache.bytes()).toBe(bytes);
  expect((await readsOf(readUsed)).nodes).toBe(0);
  // A few are forgotten where many hashes begin alike.
  expect((await readsOf(walk)).nodes).toBeLessThan(60);
  await db.close();
});
