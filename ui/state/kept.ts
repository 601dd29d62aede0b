/** Keeps a text that could not be read under `KEY.broken`, where its owner finds it: what is kept next overwrites it. */
export const setAside = (store: Storage, key: string): void => {
  const text = store.getItem(key);
  if (text === null) return;
  try {
    store.setItem(`${key}.broken`, text);
  } catch {
    // No room for a second copy.
  }
};

/** The list that a text is as JSON; null where it is none. */
export const parseList = (text: string): readonly unknown[] | null => {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : null;
  } catch {
    return null;
  }
};

/** The members of a kept list that are understood, one for each id; null where there is no list. A text that is not understood whole is set aside. */
export const readKeptList = <T extends { readonly id: string }>(
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
