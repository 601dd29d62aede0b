import { expect, it } from 'vitest';
import { loadCrypto } from '../../crypto/crypto.ts';
import { createMemoryDatabase } from '../../db/memory.ts';
import { createGrandpa } from './grandpa.ts';

it('a read that failed once is retried', async () => {
  const db = createMemoryDatabase();
  let reads = 0;
  const get: typeof db.get = (store, key) => {
    reads += 1;
    return reads === 1 ? Promise.reject(new Error('disk')) : db.get(store, key);
  };
  const grandpa = createGrandpa({ crypto: await loadCrypto(), db: { ...db, get } });
  await expect(grandpa.authoritySet()).rejects.toThrow('disk');
  expect(await grandpa.authoritySet()).toBeNull();
  expect(await grandpa.authoritySet()).toBeNull();
  expect(reads).toBe(2);
});
