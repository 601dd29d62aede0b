import { pairDatabase } from '../../../node/session/pair-database.ts';

/** Ends the lock on Bob's database; null while this page does not hold it. */
let release: (() => void) | null = null;

/**
 * Keeps other tabs away from Bob's database: a page that deletes it ends the node that has it open, or makes one
 * that was stopped forget its votes. Rejects if another tab has it. Pages that are not secure have no locks.
 */
const claim = (): Promise<void> =>
  new Promise((resolve, reject) => {
    if (release !== null || navigator.locks === undefined) return resolve();
    navigator.locks
      .request(pairDatabase, { ifAvailable: true }, (lock) => {
        if (lock === null)
          throw new Error('Alice and Bob are already running in another tab. Close their page there first.');
        return new Promise<void>((end) => {
          release = end;
          resolve();
        });
      })
      .catch(reject);
  });

/** Waits for a worker that still closes. */
const remove = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(pairDatabase);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
  });

let last: Promise<unknown> = Promise.resolve();
/** One after the other, so that a user who leaves the page and returns at once does not lose the lock. */
const inTurn = (act: () => Promise<void>): Promise<void> => {
  const next = last.then(act);
  last = next.catch(() => undefined);
  return next;
};

/** Deletes what an earlier visit has left. Rejects while another tab runs Alice and Bob. */
export const clean = (): Promise<void> =>
  inTurn(async () => {
    await claim();
    await remove();
  });

/** Deletes the database if this page has used it, and lets other tabs have it. */
export const leave = (): Promise<void> =>
  inTurn(async () => {
    if (release === null) return;
    await remove().finally(() => {
      release?.();
      release = null;
    });
  });
