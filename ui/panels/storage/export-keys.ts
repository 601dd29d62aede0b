import type { KeyList } from '../../node/storage/storage-view.svelte.ts';

/**
 * Every key of a list with its value. Rejects if any of them cannot be read: a partial file would look complete,
 * and an import deletes keys with a null value.
 */
export const loadAllPairs = async (list: KeyList): Promise<Readonly<Record<string, string>>> => {
  await list.all();
  if (list.fault !== null) throw list.fault;
  if (!list.done) throw new Error('The export was stopped.');
  return Object.fromEntries(
    list.keys.map((key) => {
      const value = list.values.get(key) ?? null;
      if (value === null) throw new Error(`The node returned no value for the key ${key}.`);
      return [key, value];
    }),
  );
};
