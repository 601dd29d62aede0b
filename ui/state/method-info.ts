import { markingOf } from '../../src/protocol/rpc/define.ts';
import { createRoutes, rpcTable } from '../../src/protocol/rpc/index.ts';

/** What the method table says of one name, for the console. */
export type MethodInfo = {
  readonly doc: string;
  readonly params: readonly { readonly name: string; readonly kind: string; readonly optional: boolean }[];
  readonly unsafe: boolean;
  readonly deprecated: string | null;
  /** The name that ends a subscription; null for a plain call. */
  readonly unsubscribe: string | null;
  /** Arguments of the table's example, in order, as JSON. */
  readonly example: string | null;
};

/** Looks a name up, aliases included; null for what the table does not know. */
export type FindMethod = (name: string) => MethodInfo | null;

/** The node's method table as the console needs it. */
export const createMethodFinder = (): FindMethod => {
  const routes = createRoutes(rpcTable);
  return (name) => {
    const route = routes.get(name);
    if (!route) return null;
    const { entry } = route;
    if (route.kind === 'unsubscribe') return endInfo(route.method);
    const names = Object.keys(entry.params);
    const given = entry.example?.args ?? {};
    const last = names.findLastIndex((param) => param in given);
    const example = names.slice(0, last + 1).map((param) => JSON.stringify(given[param] ?? null));
    return {
      doc: entry.doc,
      params: Object.entries(entry.params).map(([param, { kind, isOptional }]) => ({
        name: param,
        kind,
        optional: isOptional,
      })),
      unsafe: markingOf(entry, 'psp-6') === 'unsafe',
      deprecated: entry.deprecated ?? null,
      unsubscribe: entry.kind === 'subscription' ? entry.unsubscribe : null,
      example: example.length === 0 ? null : `[${example.join(', ')}]`,
    };
  };
};

const endInfo = (method: string): MethodInfo => ({
  doc: `Ends a subscription of ${method}.`,
  params: [{ name: 'subscription', kind: 'text', optional: false }],
  unsafe: false,
  deprecated: null,
  unsubscribe: null,
  example: null,
});
