import { Refused } from '../../src/protocol/rpc/decoder-text.ts';
import { markingOf, type ParamKind } from '../../src/protocol/rpc/define.ts';
import { createRoutes, type Route, rpcTable } from '../../src/protocol/rpc/index.ts';

/** One parameter of a method. */
export type ParamInfo = { readonly name: string; readonly kind: ParamKind; readonly optional: boolean };
/** Why the node would refuse the argument at this place; its own words. */
export type ArgFault = { readonly index: number; readonly text: string };

/** What the method table says of one name, for the console. */
export type MethodInfo = {
  /** The name in the table, of which this one may be an alias. */
  readonly method: string;
  readonly role: Route['kind'];
  /** Other names of the same. */
  readonly aliases: readonly string[];
  readonly doc: string;
  readonly params: readonly ParamInfo[];
  readonly unsafe: boolean;
  readonly deprecated: string | null;
  /** The name that ends a subscription; null for a plain call. */
  readonly unsubscribe: string | null;
  /** The method name of each notification; null for a plain call. */
  readonly event: string | null;
  /** Arguments of the table's example, in order, as JSON. */
  readonly example: string | null;
  /** Parses arguments as the node will. */
  readonly check: (args: readonly unknown[]) => readonly ArgFault[];
};

/** Looks a name up, aliases included; null for what the table does not know. */
export type FindMethod = (name: string) => MethodInfo | null;

const exampleOf = ({ entry }: Route): string | null => {
  const given = entry.example?.args ?? {};
  const names = Object.keys(entry.params);
  const last = names.findLastIndex((param) => param in given);
  const example = names.slice(0, last + 1).map((param) => JSON.stringify(given[param] ?? null));
  return example.length === 0 ? null : `[${example.join(', ')}]`;
};

const checkArgs = ({ entry }: Route, args: readonly unknown[]): readonly ArgFault[] => {
  // Several values are one list there.
  if (entry.kind === 'call' && entry.isVariadic === true && args.length > 1) return [];
  return Object.entries(entry.params).flatMap(([name, param], index): ArgFault[] => {
    const value = args[index];
    if (value === undefined) return param.isOptional ? [] : [{ index, text: `${name} is required` }];
    try {
      param.read(value);
      return [];
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      return [{ index, text: `${name}: ${refused.message}` }];
    }
  });
};

const describe = (name: string, route: Route): MethodInfo => {
  const { entry, method } = route;
  const isSubscription = entry.kind === 'subscription';
  return {
    method,
    role: route.kind,
    aliases: [method, ...(entry.aliases ?? [])].filter((other) => other !== name),
    doc: entry.doc,
    params: Object.entries(entry.params).map(([param, { kind, isOptional }]) => ({
      name: param,
      kind,
      optional: isOptional,
    })),
    unsafe: markingOf(entry, 'psp-6') === 'unsafe',
    deprecated: entry.deprecated ?? null,
    unsubscribe: isSubscription ? entry.unsubscribe : null,
    event: isSubscription ? entry.event : null,
    example: exampleOf(route),
    check: (args) => checkArgs(route, args),
  };
};

const describeEnd = (name: string, { method, entry }: Route): MethodInfo => ({
  method: entry.kind === 'subscription' ? entry.unsubscribe : name,
  role: 'unsubscribe',
  aliases: [],
  doc: `Ends a subscription of ${method}.`,
  params: [{ name: 'subscription', kind: 'text', optional: false }],
  unsafe: false,
  deprecated: null,
  unsubscribe: null,
  event: null,
  example: null,
  check: () => [],
});

/** The node's method table as the console needs it. */
export const createMethodFinder = (): FindMethod => {
  const routes = createRoutes(rpcTable);
  return (name) => {
    const route = routes.get(name);
    if (route === undefined) return null;
    return route.kind === 'unsubscribe' ? describeEnd(name, route) : describe(name, route);
  };
};
