import type { FindMethod, MethodInfo } from '../../../node/client/method-info.ts';

/** A method in the list, with the names folded under it. */
export type MethodRow = {
  readonly method: string;
  /** Null for a method that is not in the table, such as one of the embedding program. */
  readonly info: MethodInfo | null;
  /** The aliases and unsubscribe methods that the node has. */
  readonly folded: readonly string[];
};
export type MethodGroup = { readonly name: string; readonly rows: readonly MethodRow[] };

/** The namespace of a method: the part before `_` or `.`. */
export const namespaceOf = (method: string): string => method.split(/[_.]/, 1)[0] ?? method;

const rowOf = (method: string, find: FindMethod): string => {
  const info = find(method);
  if (info === null || info.role !== 'unsubscribe') return info?.method ?? method;
  return info.doc.replace(/^Ends a subscription of |\.$/g, '');
};

/** Groups methods by namespace, with aliases under their method and unsubscribe methods under theirs. */
export const groupMethods = (methods: readonly string[], find: FindMethod): readonly MethodGroup[] => {
  const listed = new Set(methods);
  const rows = Map.groupBy(methods, (method) => {
    const main = rowOf(method, find);
    // A node may have an alias without its method.
    return listed.has(main) ? main : method;
  });
  const all = [...rows].map(
    ([method, names]): MethodRow => ({
      method,
      info: find(method),
      folded: names.filter((name) => name !== method),
    }),
  );
  return [...Map.groupBy(all, ({ method }) => namespaceOf(method))]
    .map(([name, group]) => ({ name, rows: group.sort((a, b) => (a.method < b.method ? -1 : 1)) }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

/** The rows whose names contain every word; if there are none, the rows whose names and docs do. */
export const filterGroups = (groups: readonly MethodGroup[], filter: string): readonly MethodGroup[] => {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const keep = (has: (row: MethodRow) => string): readonly MethodGroup[] =>
    groups
      .map(({ name, rows }) => ({
        name,
        rows: rows.filter((row) => words.every((word) => has(row).toLowerCase().includes(word))),
      }))
      .filter(({ rows }) => rows.length > 0);
  const byName = keep(({ method, folded }) => [method, ...folded].join(' '));
  return byName.length > 0
    ? byName
    : keep(({ method, folded, info }) => [method, ...folded, info?.doc].join(' '));
};
