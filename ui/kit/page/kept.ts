import { parseJson, writeJson } from '../../../src/protocol/json.ts';

/**
 * Copies an unreadable text to `KEY.broken`, where the user can find it, because the next save overwrites the
 * original.
 */
export const setAside = (store: Storage, key: string): void => {
  const text = store.getItem(key);
  if (text === null) return;
  try {
    store.setItem(`${key}.broken`, text);
  } catch {
    // No room for a second copy.
  }
};

/** Parses a JSON list; null if the text is not one. */
export const parseList = (text: string): readonly unknown[] | null => {
  try {
    const list: unknown = parseJson(text);
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
};

/** The valid members of a stored list, one per id; null if there is none. Sets a text with invalid ones aside. */
export const readKeptList = <T extends { readonly id: unknown }>(
  store: Storage,
  key: string,
  isMember: (value: unknown) => value is T,
): readonly T[] | null => {
  const text = store.getItem(key);
  if (text === null) return null;
  const list = parseList(text);
  const members = list?.filter(isMember) ?? null;
  if (members === null || members.length !== list?.length) setAside(store, key);
  return members && [...new Map(members.map((member) => [member.id, member])).values()];
};

/** Stores the members that fit into `limit` characters, the first ones first; no member, no list. */
export const writeKeptList = (
  store: Storage,
  key: string,
  members: readonly unknown[],
  limit: number,
  textOf: (member: unknown) => string = writeJson,
): void => {
  let left = limit;
  const texts = members.map(textOf).filter((text) => {
    const fits = text.length <= left;
    if (fits) left -= text.length;
    return fits;
  });
  if (texts.length === 0) store.removeItem(key);
  else store.setItem(key, `[${texts.join(',')}]`);
};
