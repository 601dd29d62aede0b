import { Refused } from '../../src/protocol/rpc/decoder-text.ts';
import { markingOf, type ParamKind } from '../../src/protocol/rpc/define.ts';
import { createRoutes, type Route, rpcTable } from '../../src/protocol/rpc/index.ts';

/** One parameter of a method. */
export type ParamInfo = { readonly name: string; readonly kind: ParamKind; readonly optional: boolean };
/** Why the node would reject the argument at this index. */
export type ArgFault = { readonly index: number; readonly text: string };

/** The method table's entry for one name, for the RPC console. */
export type MethodInfo = {
  /** The canonical name, of which this name may be an alias. */
  readonly method: string;
  readonly role: Route['kind'];
  /** The method's other names. */
  readonly aliases: readonly string[];
  readonly doc: string;
  readonly params: readonly ParamInfo[];
  readonly unsafe: boolean;
  readonly deprecated: string | null;
  /** The method that ends the subscription; null for a plain call. */
  readonly unsubscribe: string | null;
  /** Method name of its notifications; null for a plain call. */
  readonly event: string | null;
  /** Arguments of the table's example, in order, as JSON. */
  readonly example: string | null;
  /** Validates arguments as the node will. */
  readonly check: (args: readonly unknown[]) => readonly ArgFault[];
};

/** Looks up a name or alias; null if the table does not contain it. */
export type FindMethod = (name: string) => MethodInfo | null;

const exampleOf = ({ entry }: Route): string | null => {
  const given = entry.example?.args ?? {};
  const names = Object.keys(entry.params);
  const last = names.findLastIndex((param) => param in given);
  const example = names.slice(0, last + 1).map((param) => JSON.stringify(given[param] ?? null));
  return example.length === 0 ? null : `[${example.join(', ')}]`;
};

/** What a parameter takes, where the node's words (those of polkadot-sdk) do not say it. */
const expected: Partial<Readonly<Record<ParamKind, string>>> = {
  height: 'expected a block number (a whole number, or hex with 0x)',
  hashes: 'expected a block hash, or a list of block hashes',
};

const checkArgs = ({ entry }: Route, args: readonly unknown[]): readonly ArgFault[] => {
  // Several arguments of a variadic method form one list.
  if (entry.kind === 'call' && entry.isVariadic === true && args.length > 1) return [];
  return Object.entries(entry.params).flatMap(([name, param], index): ArgFault[] => {
    const value = args[index];
    if (value === undefined) return param.isOptional ? [] : [{ index, text: `${name} is required` }];
    try {
      param.read(value);
      return [];
    } catch (refused) {
      if (!(refused instanceof Refused)) throw refused;
      return [{ index, text: `${name}: ${expected[param.kind] ?? refused.message}` }];
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

/** Looks up methods in the node's method table, for the RPC console. */
export const createMethodFinder = (): FindMethod => {
  const routes = createRoutes(rpcTable);
  return (name) => {
    const route = routes.get(name);
    if (route === undefined) return null;
    return route.kind === 'unsubscribe' ? describeEnd(name, route) : describe(name, route);
  };
};
