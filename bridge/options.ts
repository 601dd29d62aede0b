type All<Names extends string, Type> = { readonly [name in Names]: { readonly type: Type } };

const all = <Names extends string, Type extends 'string' | 'boolean'>(type: Type, names: readonly Names[]) =>
  Object.fromEntries(names.map((name) => [name, { type }])) as All<Names, Type>;

/** Options for `parseArgs` that take a value. */
export const texts = <Names extends string>(...names: readonly Names[]): All<Names, 'string'> =>
  all('string', names);

/** Options for `parseArgs` that take none. */
export const switches = <Names extends string>(...names: readonly Names[]): All<Names, 'boolean'> =>
  all('boolean', names);
