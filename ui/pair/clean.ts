import { pairDatabase } from '../state/pair-database.ts';

/** Deletes what an earlier visit has left. Rejects while another tab runs Alice and Bob. */
export const clean = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(pairDatabase);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    request.onblocked = () =>
      reject(new Error('Alice and Bob run in another tab: leave their page there first.'));
  });
