import type { CallOptions, Connection } from './connection.ts';
import { JsonRpcError } from './protocol/json-rpc/json-rpc-error.ts';
import type {
  CallEntry,
  Entry,
  Input,
  Params,
  Result,
  Schema,
  SubscriptionEntry,
} from './protocol/rpc/define.ts';
import { type MethodTable, rpcTable } from './protocol/rpc/index.ts';

/** Ends a subscription; does nothing if it has already ended. */
export type Unsubscribe = () => Promise<void>;

/** The part of a connection that the typed client uses. */
type Calls = Pick<Connection, 'request' | 'subscribe' | 'unsubscribe' | 'isOpen'>;

type NoArgs = Readonly<Record<string, never>>;
type ClientCall<E> =
  NoArgs extends Input<E>
    ? (args?: Input<E>, options?: CallOptions) => Promise<Result<E>>
    : (args: Input<E>, options?: CallOptions) => Promise<Result<E>>;
type ClientSubscription<E> = (
  args: Input<E>,
  onItem: (item: Result<E>) => void,
  options?: CallOptions,
) => Promise<Unsubscribe>;

/**
 * One function per method of the table, under its full wire name, with named arguments: `chain_getBlockHash({
 * hash: 5 })`. Rejects with a TypeError for arguments that the method does not have, and with a JsonRpcError
 * that names them for invalid values.
 */
export type RpcClient = {
  readonly [K in keyof MethodTable]: MethodTable[K] extends SubscriptionEntry<Params, Schema>
    ? ClientSubscription<MethodTable[K]>
    : MethodTable[K] extends CallEntry<Params, Schema>
      ? ClientCall<MethodTable[K]>
      : never;
};

const toHex = (bytes: Uint8Array): string => {
  let text = '0x';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
};

const toWire = (value: unknown): unknown => {
  if (value instanceof Uint8Array) return toHex(value);
  return Array.isArray(value) ? value.map(toWire) : value;
};

const kindOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (value instanceof Uint8Array) return 'bytes';
  return typeof value === 'object' ? 'an object of a class' : `a ${typeof value}`;
};

/**
 * Accepts only plain objects, including those of other windows: the contents of a Map or a Date would be
 * ignored.
 */
const isNamed = (args: unknown): args is Readonly<Record<string, unknown>> => {
  if (typeof args !== 'object' || args === null) return false;
  const prototype: unknown = Object.getPrototypeOf(args);
  return prototype === null || (!Array.isArray(args) && Object.getPrototypeOf(prototype) === null);
};

/** The arguments of a method as text: `{ key, hash? }`. */
export const argsText = ({ params }: Entry): string => {
  const names = Object.entries(params).map(([name, { isOptional }]) => (isOptional ? `${name}?` : name));
  return names.length === 0 ? 'no arguments' : `{ ${names.join(', ')} }`;
};

/**
 * Named arguments in the table's order, without missing ones at the end. Throws a TypeError for arguments the
 * method does not have, because ignoring one would return a different result, such as that of the best block.
 */
const toParams = (method: string, entry: Entry, args: unknown = {}): unknown[] => {
  if (!isNamed(args)) throw new TypeError(`${method} takes ${argsText(entry)}, not ${kindOf(args)}.`);
  const stranger = Object.keys(args).find((name) => !Object.hasOwn(entry.params, name));
  if (stranger !== undefined)
    throw new TypeError(`${method} has no parameter "${stranger}": it takes ${argsText(entry)}.`);
  const values = Object.keys(entry.params).map((name) => args[name]);
  while (values.length > 0 && values[values.length - 1] === undefined) values.pop();
  return values.map((value) => toWire(value ?? null));
};

/**
 * The console shows only the message, so it includes the parameter that the node refuses and what the method
 * takes.
 */
const describeParams =
  (method: string, entry: Entry) =>
  (error: unknown): never => {
    const { code, message, data } = error as JsonRpcError;
    if (code !== -32602) throw error;
    throw new JsonRpcError(code, `${message}: ${data}; ${method} takes ${argsText(entry)}`, data);
  };

const subscribe = async (
  connection: Calls,
  method: string,
  entry: SubscriptionEntry,
  args: unknown,
  onItem: unknown,
  options?: CallOptions,
): Promise<Unsubscribe> => {
  const params = toParams(method, entry, args);
  if (typeof onItem !== 'function')
    throw new TypeError(`${method} takes a function for its items after the arguments: (args, onItem).`);
  const { unsubscribe: ending } = entry;
  const id = await connection
    .subscribe(method, params, (item) => onItem(item), { ...options, unsubscribe: ending })
    .catch(describeParams(method, entry));
  let isOver = false;
  const unsubscribe = async (): Promise<void> => {
    if (isOver || !connection.isOpen()) return;
    isOver = true;
    await connection.unsubscribe(ending, id);
  };
  options?.signal?.addEventListener('abort', () => void unsubscribe().catch(() => undefined), { once: true });
  return unsubscribe;
};

/** The typed client over a connection, generated from the method table. */
export const createClient = (connection: Calls): RpcClient => {
  const methods = Object.entries<Entry>(rpcTable).map(([method, entry]): [string, unknown] => {
    if (entry.kind === 'subscription')
      return [
        method,
        (args: unknown, onItem: unknown, options?: CallOptions) =>
          subscribe(connection, method, entry, args, onItem, options),
      ];
    return [
      method,
      async (args?: unknown, options?: CallOptions) =>
        connection
          .request(method, toParams(method, entry, args), options)
          .catch(describeParams(method, entry)),
    ];
  });
  return Object.freeze(Object.fromEntries(methods)) as RpcClient;
};
