import { argsText } from '../../../src/client.ts';
import { NodeError } from '../../../src/protocol/errors.ts';
import { writeJson } from '../../../src/protocol/json.ts';
import { type CallEntry, type Entry, isDenied, type RpcTable } from '../../../src/protocol/rpc/define.ts';
import { docOf } from '../../../src/protocol/rpc/docs/docs.ts';
import { createRoutes, type Route, rpcTable } from '../../../src/protocol/rpc/index.ts';
import { resultOf } from '../../../src/protocol/rpc/results/results.ts';
import type { Json } from '../../../src/scale/types.ts';
import { cursor, limit } from './fields.ts';
import { described, either, integer, json, list, optional, record, text, withDefault } from './schema.ts';
import { pageOf, refuseWrite, tool } from './tool.ts';

type Args = Readonly<Record<string, unknown>>;

/** Marked safe, because anyone may send transactions to a node; here they count as writes. */
const submits = ['transaction_v1_broadcast'];

/** Whether a call needs permission to write: a dialect marks it unsafe, or it submits a transaction. */
export const needsWrites = (method: string, entry: Entry, args: Args = {}): boolean =>
  submits.includes(method) || isDenied(entry, true, args);

/** The table's description of a method. */
export const methodJson = (method: string, entry: Entry) => {
  const { doc, example } = docOf(method);
  return {
    method,
    doc,
    params: Object.entries(entry.params).map(([name, { kind, isOptional }]) => ({
      name,
      kind,
      ...(isOptional ? { isOptional } : {}),
    })),
    needsPermission: needsWrites(method, entry),
    ...(example === undefined ? {} : { example: { args: example, result: resultOf(method).example } }),
  };
};

/** The methods with a single response, because a tool cannot deliver subscriptions. */
export const callableMethods = (): readonly (readonly [string, CallEntry])[] =>
  Object.entries(rpcTable as RpcTable).flatMap(([method, entry]) =>
    entry.kind === 'call' ? [[method, entry] as const] : [],
  );

const rpcMethods = tool({
  name: 'rpc_methods',
  title: 'List JSON-RPC methods',
  description:
    'The JSON-RPC methods of the node with docs, parameters, an example, and whether they need permission to write. "search" keeps those that contain all of its words.',
  input: {
    search: described(optional(text()), 'Words to look for in names and docs, such as "proof".'),
    limit: limit(20, 100),
    cursor: cursor(),
  },
  run: async (_context, args) => {
    const words = (args.search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const found = callableMethods().filter(([method]) =>
      words.every((word) => `${method} ${docOf(method).doc}`.toLowerCase().includes(word)),
    );
    const page = pageOf(found, args.cursor, args.limit);
    return { ...page, items: page.items.map(([method, entry]) => methodJson(method, entry)) };
  },
});

const routeTo = (method: string): Extract<Route, { kind: 'call' }> | null => {
  const route = createRoutes(rpcTable as RpcTable).get(method);
  if (route === undefined || route.kind === 'call') return route ?? null;
  throw new NodeError('Unsupported', `${method} is for subscriptions, which a tool cannot deliver`);
};

/** Arguments in the order of the table. Throws `BadValue` for a name that the method does not take. */
const toPositions = (method: string, entry: CallEntry, args: Args): unknown[] => {
  const unknownName = Object.keys(args).find((name) => !Object.hasOwn(entry.params, name));
  if (unknownName !== undefined)
    throw new NodeError(
      'BadValue',
      `${method} has no parameter "${unknownName}": it takes ${argsText(entry)}`,
    );
  const values = Object.keys(entry.params).map((name) => args[name] ?? null);
  while (values.at(-1) === null) values.pop();
  return values;
};

const toNames = (entry: CallEntry, params: readonly unknown[]): Args =>
  Object.fromEntries(Object.keys(entry.params).map((name, index) => [name, params[index]]));

/** Maximum characters per response. */
const windowSize = 20_000;

const rpcCall = tool({
  name: 'rpc_call',
  title: 'Call a JSON-RPC method',
  description:
    'Calls a JSON-RPC method of the node and returns its raw result; rpc_methods lists the methods. Unsafe methods need permission to write. A long result is returned as text in parts: "more" is the "offset" of the next one.',
  input: {
    method: text(),
    params: described(
      withDefault(either<readonly Json[], Args>(list(json()), record(json())), []),
      'By position as a list, or by name as an object.',
    ),
    offset: described(withDefault(integer({ minimum: 0 }), 0), 'The "more" of an earlier part.'),
  },
  run: async (context, args, signal) => {
    const route = routeTo(args.method);
    const list = Array.isArray(args.params) ? (args.params as readonly unknown[]) : null;
    if (!context.allowWrites) {
      // Methods of another node or module are not in the table, so their effects are unknown.
      if (route === null) throw refuseWrite(context, `${args.method}, which is not in the method table,`);
      const named = list === null ? (args.params as Args) : toNames(route.entry, list);
      if (needsWrites(route.method, route.entry, named))
        throw refuseWrite(context, `The unsafe method ${args.method}`);
    }
    if (route === null && list === null)
      throw new NodeError(
        'BadValue',
        `${args.method} is not in the method table: pass its parameters by position`,
      );
    const params = list ?? (route && toPositions(route.method, route.entry, args.params as Args)) ?? [];
    const result = await context.request(args.method, params, { signal });
    const text = writeJson(result);
    if (args.offset === 0 && text.length <= windowSize) return { result };
    const end = args.offset + windowSize;
    const part = { text: text.slice(args.offset, end), characters: text.length };
    return end < text.length ? { ...part, more: end } : part;
  },
});

export const rpcTools = [rpcMethods, rpcCall];
