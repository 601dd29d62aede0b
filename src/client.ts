import type { CallOptions, Connection } from './connection.ts';
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

/** Ends a subscription; does nothing once it has ended. */
export type Unsubscribe = () => Promise<void>;

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

/** One function per method of the table, by its whole wire name; arguments by name. */
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

/** Named arguments in the table's order, without missing ones at the end. */
const toParams = (entry: Entry, args: Readonly<Record<string, unknown>> = {}): unknown[] => {
  const values = Object.keys(entry.params).map((name) => args[name]);
  while (values.length > 0 && values[values.length - 1] === undefined) values.pop();
  return values.map((value) => toWire(value ?? null));
};

const subscribe = async (
  connection: Connection,
  method: string,
  entry: SubscriptionEntry,
  args: Readonly<Record<string, unknown>>,
  onItem: (item: unknown) => void,
  options?: CallOptions,
): Promise<Unsubscribe> => {
  const { unsubscribe: ending } = entry;
  const id = await connection.subscribe(method, toParams(entry, args), onItem, {
    ...options,
    unsubscribe: ending,
  });
  let isOver = false;
  const unsubscribe = async (): Promise<void> => {
    if (isOver || !connection.isOpen()) return;
    isOver = true;
    await connection.unsubscribe(ending, id);
  };
  options?.signal?.addEventListener('abort', () => void unsubscribe().catch(() => undefined), { once: true });
  return unsubscribe;
};

/** The typed client over a connection, made from the table. */
export const createClient = (connection: Connection): RpcClient => {
  const methods = Object.entries<Entry>(rpcTable).map(([method, entry]): [string, unknown] => {
    if (entry.kind === 'subscription')
      return [
        method,
        (args: Readonly<Record<string, unknown>>, onItem: (item: unknown) => void, options?: CallOptions) =>
          subscribe(connection, method, entry, args, onItem, options),
      ];
    return [
      method,
      (args?: Readonly<Record<string, unknown>>, options?: CallOptions) =>
        connection.request(method, toParams(entry, args), options),
    ];
  });
  return Object.freeze(Object.fromEntries(methods)) as RpcClient;
};
