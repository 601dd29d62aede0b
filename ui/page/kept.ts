import { parseJson } from '../../src/protocol/json.ts';

/** Whether a stored value is valid. */
export type Guard<T> = (value: unknown) => value is T;

export const isText: Guard<string> = (value) => typeof value === 'string';
export const isNumber: Guard<number> = (value): value is number => Number.isFinite(value);
export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean';

export const orNull =
  <T>(is: Guard<T>): Guard<T | null> =>
  (value): value is T | null =>
    value === null || is(value);

export const isListOf =
  <T>(is: Guard<T>): Guard<readonly T[]> =>
  (value): value is readonly T[] =>
    Array.isArray(value) && value.every(is);

/** Checks each member that is named; others are not looked at. */
export const isShape =
  <T extends object>(members: { readonly [K in keyof T]?: Guard<T[K]> }): Guard<T> =>
  (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Guard<unknown> | undefined>(members).every(([name, is]) =>
      is?.((value as Readonly<Record<string, unknown>>)[name]),
    );

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

/**
 * The valid members of a stored list, one per id; null if there is no list. A text with invalid members is
 * copied aside first.
 */
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
