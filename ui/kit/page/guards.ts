/** Whether a stored value is valid. */
export type Guard<T> = (value: unknown) => value is T;

export const isText: Guard<string> = (value) => typeof value === 'string';
export const isNumber: Guard<number> = (value): value is number => Number.isFinite(value);
export const isBoolean: Guard<boolean> = (value) => typeof value === 'boolean';

export const isOneOf =
  <const T>(...all: readonly T[]): Guard<T> =>
  (value): value is T =>
    (all as readonly unknown[]).includes(value);

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
