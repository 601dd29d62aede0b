import { writeJson } from '../../../src/protocol/json.ts';
import { Refused } from '../../../src/protocol/rpc/decoder-text.ts';
import { type Entry, markingOf, type Param, type ParamKind } from '../../../src/protocol/rpc/define.ts';
import { docOf } from '../../../src/protocol/rpc/docs/docs.ts';
import { createRoutes, type Route, rpcTable } from '../../../src/protocol/rpc/index.ts';
import { shortHex } from '../../kit/text/format.ts';

/** One parameter of a method. */
export type ParamInfo = {
  readonly name: string;
  readonly kind: ParamKind;
  readonly optional: boolean;
  readonly isSecret?: boolean;
};
/** Why the node rejects the argument at this index, and its own words, which are often those of its decoder. */
export type ArgFault = { readonly index: number; readonly text: string; readonly words: string };

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
  /** Validates arguments as the node will; of a call that was refused, as far as can be told. */
  readonly check: (args: readonly unknown[], isRefused?: boolean) => readonly ArgFault[];
};

/** Looks up a name or alias; null if the table does not contain it. */
export type FindMethod = (name: string) => MethodInfo | null;

const exampleOf = ({ entry, method }: Route): string | null => {
  const args = docOf(method).example ?? {};
  const names = Object.keys(entry.params);
  const last = names.findLastIndex((param) => param in args);
  const example = names.slice(0, last + 1).map((param) => writeJson(args[param] ?? null));
  return example.length === 0 ? null : `[${example.join(', ')}]`;
};

const mode = 'the name of a mode, or an object';
const objects = 'a list of objects';
/** What a parameter of each kind takes, if not an object. Where the table has no example, the text has one. */
const takes: Readonly<Partial<Record<ParamKind, string>>> = {
  account: 'an address (SS58, or 32 bytes of hex)',
  amount: 'a whole number in the smallest unit',
  blockNumbers: 'a list of block numbers',
  boolean: 'true or false',
  bytes: 'bytes as hex',
  bytesList: 'a list of bytes as hex',
  chainFormat: 'a format, "json" or "binary"',
  blockToRun:
    'a block hash, or a block that need not be in the chain, such as {"block":{"header":{},"extrinsics":[]}}',
  diffItems: `${objects}, such as [{"key":"0x3a","returnType":"value"}]`,
  extrinsicsOrHashes: 'an extrinsic, a hash, or a list of these',
  finalityMode: mode,
  hash: 'a hash (32 bytes of hex)',
  hashes: 'a block hash, or a list of block hashes',
  headTarget: 'a block hash or number, or a negative number of blocks to go back',
  height: 'a block number (a whole number, or hex with 0x)',
  justification: 'an engine id and its data, such as ["0x42454546","0x00"]',
  moment: 'a date, or milliseconds since 1970',
  sealMode: mode,
  storage: 'a list of pairs of key and value, or an object with pallets',
  storageItems: objects,
  text: 'text',
  u32: 'a whole number, 0 or greater',
};

/** An example of the parameter, or of another one of its kind; texts have nothing in common. */
const exampleArg = (method: string, name: string, kind: ParamKind): unknown => {
  const own = docOf(method).example?.[name];
  if (own !== undefined || kind === 'text') return own;
  const others = Object.entries<Entry>(rpcTable).flatMap(([other, { params }]) =>
    Object.entries(docOf(other).example ?? {}).filter(([param]) => params[param]?.kind === kind),
  );
  return others[0]?.[1];
};

const longHex = /0x\w{24,}/g;

/** The node itself looks into these, so that the table does not know which are wrong. */
const isOpen = (kind: ParamKind): boolean => kind === 'account' || kind === 'text';

/** The words of the node that refuses a value; null if it takes it. */
const wordsOf = ({ kind, read, refusedBySdk }: Param, value: unknown, isRefused: boolean): string | null => {
  try {
    read(value);
  } catch (refused) {
    if (refused instanceof Refused) return refused.message;
    throw refused;
  }
  return isRefused ? (refusedBySdk?.(value) ?? (isOpen(kind) ? '' : null)) : null;
};

const checkArgs = (
  { entry, method }: Route,
  args: readonly unknown[],
  isRefused: boolean,
): readonly ArgFault[] => {
  // Several arguments of a variadic method form one list.
  if (entry.kind === 'call' && entry.isVariadic === true && args.length > 1) return [];
  return Object.entries(entry.params).flatMap(([name, param], index): ArgFault[] => {
    const value = args[index];
    if (value === undefined && param.isOptional) return [];
    const words = value === undefined ? '' : wordsOf(param, value, isRefused);
    if (words === null) return [];
    const example = exampleArg(method, name, param.kind);
    const such =
      example === undefined ? '' : `, such as ${writeJson(example).replace(longHex, (hex) => shortHex(hex))}`;
    const lead = value === undefined ? ' is required:' : ': expected';
    return [{ index, text: `${name}${lead} ${takes[param.kind] ?? 'an object'}${such}`, words }];
  });
};

const describe = (name: string, route: Route): MethodInfo => {
  const { entry, method } = route;
  const { doc, deprecated } = docOf(method);
  const isSubscription = entry.kind === 'subscription';
  return {
    method,
    role: route.kind,
    aliases: [method, ...(entry.aliases ?? [])].filter((other) => other !== name),
    doc,
    params: Object.entries(entry.params).map(([param, { kind, isOptional, isSecret = false }]) => ({
      name: param,
      kind,
      optional: isOptional,
      isSecret,
    })),
    unsafe: markingOf(entry, 'psp-6') === 'unsafe',
    deprecated: deprecated ?? null,
    unsubscribe: isSubscription ? entry.unsubscribe : null,
    event: isSubscription ? entry.event : null,
    example: exampleOf(route),
    check: (args, isRefused = false) => checkArgs(route, args, isRefused),
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
