import { isDenied } from '../../src/protocol/rpc/define.ts';
import type { Route, SubscribeRoute } from '../../src/protocol/rpc/index.ts';
import { readArguments } from './arguments.ts';
import { writeError, writeResult } from './connection/envelope.ts';
import type { Id, Message } from './connection/message.ts';
import type { Subscriptions } from './connection/subscriptions.ts';
import { type CustomTable, callCustom } from './custom.ts';
import {
  deniedUnsafe,
  errorToRpc,
  internalError,
  methodNotFound,
  type RpcErrorData,
  tooManySubscriptions,
} from './errors.ts';
import type { CallContext, OneCall, Sink } from './handlers.ts';
import { type MaybePromise, settle } from './results.ts';

/** Handlers as the dispatcher sees them. Their types were checked against the method table. */
export type AnyHandlers = {
  call(method: string, args: object, context: OneCall): MaybePromise<unknown>;
  subscribe(method: string, args: object, sink: Sink<unknown>, context: CallContext): MaybePromise<unknown>;
};

/** A response, with callbacks for when it has been sent, or cannot be sent. */
export type Answer = {
  readonly id: Id;
  readonly text: string;
  readonly after?: () => void;
  readonly undo?: () => void;
  /** The response to a subscribe call. The SDK's server sends it individually, even in a batch. */
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

const run = (works: readonly (() => void)[]): void => {
  for (const work of works) work();
};

/**
 * Handles one message: resolves the method name, checks whether it may be called, and parses the arguments.
 * Never throws; responds synchronously if the handler does.
 */
export const createDispatch = (
  deps: DispatchDeps,
  options: DispatchOptions,
): ((message: Message, caller: object) => MaybePromise<Answer | null>) => {
  const { routes, custom, handlers, subscriptions, context } = deps;
  const { dialect } = context;

  const subscribe = (id: Id, route: SubscribeRoute, args: object): MaybePromise<Answer> => {
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

  const call = (id: Id, method: string, args: object, caller: object): MaybePromise<Answer> => {
    const works: (() => void)[] = [];
    const called = { ...context, caller, after: (work: () => void) => void works.push(work) };
    return settle(
      () => handlers.call(method, args, called),
      (result): Answer => ({ id, text: writeResult(id, result), after: () => run(works) }),
      (error) => refuse(id, errorToRpc(error, method)),
    );
  };

  /** Handles a method that is not in the table: either the embedding program's, or unknown. */
  const other = (id: Id, method: string, params: unknown): MaybePromise<Answer> => {
    const found = custom.get(method);
    if (found === undefined) return refuse(id, methodNotFound);
    if (context.denyUnsafe !== false && found.safety === 'unsafe') return refuse(id, deniedUnsafe);
    return settle(
      () => callCustom(found, params, { ...context, dialect: dialect.name }),
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
      const wasLive = subscriptions.close(route.method, dialect.namedId(message.params));
      return { id, text: writeResult(id, dialect.unsubscribed(route.method, wasLive)) };
    }
    const isSubscribe = route.kind === 'subscribe';
    if (isSubscribe && subscriptions.count() >= options.maxSubscriptions)
      return refuse(id, tooManySubscriptions(options.maxSubscriptions));
    const reject = (error: RpcErrorData): Answer =>
      isSubscribe ? { ...refuse(id, error), ofSubscription } : refuse(id, error);
    const read = readArguments(route.entry, message, dialect);
    if (!read.ok) return reject(read.error);
    if (isDenied(route.entry, context.denyUnsafe, read.args)) return reject(dialect.denied(route));
    return isSubscribe ? subscribe(id, route, read.args) : call(id, route.method, read.args, caller);
  };
};
