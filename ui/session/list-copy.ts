import { writeJson } from '../../src/protocol/json.ts';
import { readKeptList } from '../page/kept.ts';
import { type ChainEntry, firstChain, isEntry } from './chain-entry.ts';

const listKey = 'tabnode.chains';

/**
 * The list of chains in local storage, which can be read before the first paint. Only a copy: what a tab reads from local storage
 * can be older than what another tab has written, even while it holds a lock.
 */
export const readListCopy = (): readonly ChainEntry[] =>
  localStorage.getItem(listKey) === null
    ? [firstChain]
    : (readKeptList(localStorage, listKey, isEntry) ?? []);

export const writeListCopy = (list: readonly ChainEntry[]): void => {
  const text = writeJson(list);
  if (text !== localStorage.getItem(listKey)) localStorage.setItem(listKey, text);
};

/** Removes what local storage keeps of a chain besides its entry. */
export const forgetKept = (id: string): void => {
  for (const kept of ['modes', 'identity', 'sent', 'edits']) localStorage.removeItem(`tabnode.${kept}.${id}`);
};
