import type { Dialect } from '../../src/protocol/node.ts';
import { isDenied } from '../../src/protocol/rpc/define.ts';
import type { Route, SubscribeRoute } from '../../src/protocol/rpc/index.ts';
import { readArguments } from './arguments.ts';
import { type CustomTable, callCustom } from './custom.ts';
import { type Id, type Message, writeError, writeResult } from './envelope.ts';
import {
  deniedUnsafe,
  errorToRpc,
  internalError,
  methodNotFound,
  type RpcErrorData,
  tooManySubscriptions,
} from './errors.ts';
import type { CallContext, OneCall, Sink } from './handlers.ts';
import { type Soon, settle } from './soon.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Handlers as the dispatcher sees them: their types were checked against the table. */
export type AnyHandlers = {
  call(method: string, args: object, context: OneCall): Soon<unknown>;
  subscribe(method: string, args: object, sink: Sink<unknown>, context: CallContext): Soon<unknown>;
};

/** An answer, and what happens once it has left, or when it does not. */
export type Answer = {
  readonly id: Id;
  readonly text: string;
  readonly after?: () => void;
  readonly undo?: () => void;
  /** Answers a subscribe call: the SDK's server sends it by itself, within a batch too. */
  readonly ofSubscription?: true;
};

export type DispatchDeps = {
  readonly routes: ReadonlyMap<string, Route>;
  readonly custom: CustomTable;
  readonly handlers: AnyHandlers;
  readonly subscriptions: Subscriptions;
  readonly context: CallContext;
};

export type DispatchOptions = { readonly carriesNotifications: boolean; readonly maxSubscriptions: number };

const ofSubscription = true;

export const refuse = (id: Id, error: RpcErrorData): Answer => ({ id, text: writeError(id, error) });

/** Where the SDK refuses in another way than with the state namespace's number (fixtures: denied.jsonl). */
const deniedByName: Readonly<Record<string, RpcErrorData>> = {
  state_callRecorded: { code: 4005, message: 'Recorded runtime calls are unsafe and disabled on this node' },
  state_trieMigrationStatus: deniedUnsafe,
};

/** The refusal's number; the SDK keeps its own for plain calls of the state namespace. */
const deniedAs = (route: Route, dialect: Dialect): RpcErrorData => {
  if (dialect === 'psp-6' || route.kind !== 'call') return deniedUnsafe;
  const named = deniedByName[route.method];
  if (named !== undefined) return named;
  return route.method.startsWith('state_') ? { ...deniedUnsafe, code: 4003 } : deniedUnsafe;
};

const run = (works: readonly (() => void)[]): void => {
  for (const work of works) work();
};

/** The id that an unsubscribe call names; for the SDK it is the only parameter of a list, or none. */
const namedId = (params: unknown, dialect: Dialect): unknown => {
  if (Array.isArray(params)) return dialect === 'psp-6' || params.length === 1 ? params[0] : undefined;
  const isNamed = dialect === 'psp-6' && typeof params === 'object' && params !== null;
  return isNamed ? Object.values(params)[0] : undefined;
};

/** Answers one message: what a name means, whether it may be called, with what. Never throws; at once where the handler does. */
export const createDispatch = (
  deps: DispatchDeps,
  options: DispatchOptions,
): ((message: Message, caller: object) => Soon<Answer | null>) => {
  const { routes, custom, handlers, subscriptions, context } = deps;

  const subscribe = (id: Id, route: SubscribeRoute, args: object): Soon<Answer> => {
    const opened = subscriptions.open(route.method, route.entry);
    return settle(
      () => handlers.subscribe(route.method, args, opened.sink, context),
      (stop): Answer => {
        opened.started(stop as () => void);
        const text = writeResult(id, opened.id);
        return { id, text, after: opened.announced, undo: opened.cancel, ofSubscription };
      },
      (error) => {
        opened.cancel();
        return { ...refuse(id, errorToRpc(error, route.method)), ofSubscription };
      },
    );
  };

  const call = (id: Id, method: string, args: object, caller: object): Soon<Answer> => {
    const works: (() => void)[] = [];
    const called = { ...context, caller, after: (work: () => void) => void works.push(work) };
    return settle(
      () => handlers.call(method, args, called),
      (result): Answer => ({ id, text: writeResult(id, result), after: () => run(works) }),
      (error) => refuse(id, errorToRpc(error, method)),
    );
  };

  /** A method that is not the node's: the embedding program's, or nobody's. */
  const other = (id: Id, method: string, params: unknown): Soon<Answer> => {
    const found = custom.get(method);
    if (found === undefined) return refuse(id, methodNotFound);
    if (context.denyUnsafe !== false && found.safety === 'unsafe') return refuse(id, deniedUnsafe);
    return settle(
      () => callCustom(found, params, context),
      (result): Answer => ({ id, text: writeResult(id, result) }),
      (error) => refuse(id, errorToRpc(error, method)),
    );
  };

  return (message, caller) => {
    if (message.kind === 'notification') return null;
    const { id } = message;
    if (message.kind === 'broken') return refuse(id, message.error);
    const route = routes.get(message.method);
    if (route === undefined) return other(id, message.method, message.params);
    if (route.kind !== 'call' && !options.carriesNotifications) return refuse(id, internalError);
    if (route.kind === 'unsubscribe') {
      const wasLive = subscriptions.close(route.method, namedId(message.params, context.dialect));
      // The new specification answers null; the SDK makes no difference between its groups (RPC.md §2.7).
      const isNew = context.dialect === 'psp-6' && route.method.includes('_v1_');
      return { id, text: writeResult(id, isNew ? null : wasLive) };
    }
    const isSubscribe = route.kind === 'subscribe';
    if (isSubscribe && subscriptions.count() >= options.maxSubscriptions)
      return refuse(id, tooManySubscriptions(options.maxSubscriptions));
    const reject = (error: RpcErrorData): Answer =>
      isSubscribe ? { ...refuse(id, error), ofSubscription } : refuse(id, error);
    const read = readArguments(route.entry, message.params, context.dialect);
    if (!read.ok) return reject(read.error);
    if (isDenied(route.entry, context.denyUnsafe, read.args)) return reject(deniedAs(route, context.dialect));
    return isSubscribe ? subscribe(id, route, read.args) : call(id, route.method, read.args, caller);
  };
};
