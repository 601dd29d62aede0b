import { deleteDB } from 'idb';
import { ownDatabase } from './chain-store.ts';

/** Forgets the list of chains and everything in local storage: the next page is a new visitor's. */
export const emptyChains = async (): Promise<void> => {
  localStorage.clear();
  await deleteDB(ownDatabase);
  // What was reading the list has written its copy by now.
  localStorage.clear();
};
