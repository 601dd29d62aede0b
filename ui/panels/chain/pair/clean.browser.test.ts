import { expect, it, onTestFinished, vi } from 'vitest';
import { pairDatabase } from '../../../node/session/pair-database.ts';
import { clean, leave } from './clean.ts';

const openDatabase = (): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.open(pairDatabase);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
const isStored = async () => (await indexedDB.databases()).some(({ name }) => name === pairDatabase);
const isHeld = async () => (await navigator.locks.query()).held?.some(({ name }) => name === pairDatabase);

it('a tab leaves the database of Bob alone while another tab uses it', async () => {
  const database = await openDatabase();
  const closed = vi.fn(() => database.close());
  database.onversionchange = closed;
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  onTestFinished(() => end());
  const taken = Promise.withResolvers<void>();
  const otherTab = navigator.locks.request(pairDatabase, () => {
    taken.resolve();
    return over;
  });
  await taken.promise;
  await expect(clean()).rejects.toThrow('Alice and Bob are already running in another tab');
  await leave();
  expect(closed).not.toHaveBeenCalled();
  expect(await isStored()).toBe(true);

  end();
  await otherTab;
  database.close();
  await clean();
  expect(await isStored()).toBe(false);
  expect(await isHeld()).toBe(true);
  // The page is left, and opened again before cleaning up has finished.
  await Promise.all([leave(), clean()]);
  expect(await isHeld()).toBe(true);
  await leave();
  expect(await isHeld()).toBe(false);
});
