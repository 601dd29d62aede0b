import { createInputQueue } from '../../../src/protocol/input-queue.ts';
import {
  maxBatch,
  maxRequestBytes,
  maxResponseBytes,
  maxSubscriptions,
} from '../../../src/protocol/limits.ts';
import type { DenyUnsafe, Dialect, RpcLimits } from '../../../src/protocol/node.ts';
import { writeRefusal } from '../../../src/protocol/request-ids.ts';
import type { Route } from '../../../src/protocol/rpc/index.ts';
import type { Pace } from '../../tasks/pace.ts';
import type { CustomTable } from '../custom.ts';
import { dialects } from '../dialects/psp6.ts';
import { type Answer, type AnyHandlers, createDispatch } from '../dispatch.ts';
import { serverBusy } from '../errors.ts';
import type { WriteNotification } from './envelope.ts';
import { createOutbox, type Outbox, type Transmit } from './outbox.ts';
import type { RateClock } from './rate-limit.ts';
import { createRequestHandler, type Read } from './request-handler.ts';
import { createResultWindow, type ResultSizes, type ResultWindow } from './result-window.ts';
import { createSubscriptions } from './subscriptions.ts';
import type { TrafficTap } from './traffic.ts';

export type ConnectionOptions = {
  readonly dialect: Dialect;
  readonly denyUnsafe: DenyUnsafe;
  readonly transport: 'port' | 'ws' | 'http';
  readonly limits?: Partial<RpcLimits>;
  /** Whether the transport's own buffer is full; subscriptions that fall behind are dropped. */
  readonly isBlocked?: () => boolean;
};

export type Connection = {
  /** Handles a text from the client; responses are sent through `send`. Never throws. */
  receive(text: string): void;
  /** Handles a text from the client; resolves to the response, or null if there is none. */
  handle(text: string): Promise<string | null>;
  /** The transport holds as many messages, or bytes, as it takes; texts that were received wait until it has sent them. */
  setFull: ResultWindow['setFull'];
  close(): void;
};

/**
 * Connects a client; `send` receives every outgoing text. Pass `sendAll` if the transport can send a list at
 * once.
 */
export type Connect = (
  send: Transmit['send'],
  options: ConnectionOptions,
  sendAll?: Transmit['sendAll'],
) => Connection;

export type ConnectionDeps = {
  readonly routes: ReadonlyMap<string, Route>;
  readonly custom: CustomTable;
  readonly handlers: AnyHandlers;
  readonly methods: readonly string[];
  readonly createId: () => string;
  readonly transmit: Transmit;
  readonly clock: RateClock;
  /** Number of the connection, counted from 1. */
  readonly number: number;
  readonly tap: TrafficTap;
  readonly writeNotification: WriteNotification;
  readonly sizes: ResultSizes;
  /** Starts the pacing of a task that runs in slices. */
  readonly startPace: () => Pace;
};

const defaultLimits: RpcLimits = {
  maxRequestBytes,
  maxResponseBytes,
  maxBatch,
  maxSubscriptions,
  callsPerMinute: null,
};
/** A page's own port passes texts within one process, so their size is not limited. */
const portLimits: RpcLimits = {
  ...defaultLimits,
  maxRequestBytes: Number.POSITIVE_INFINITY,
  maxResponseBytes: Number.POSITIVE_INFINITY,
};

/** The client's subscriptions, whose notifications go to its outbox. */
const openSubscriptions = (
  { createId, writeNotification, tap }: ConnectionDeps,
  outbox: Outbox,
  isBlocked = (): boolean => false,
) =>
  createSubscriptions({
    createId,
    notify: (event, id, item) => {
      const text = writeNotification(event, id, item);
      outbox.notify(text);
      tap.onNotification(event, id, text);
    },
    flush: outbox.flush,
    isBlocked,
  });

/** One client: its subscriptions, limits and dialect. */
export const createConnection = (deps: ConnectionDeps, options: ConnectionOptions): Connection => {
  const { denyUnsafe, transport } = options;
  const dialect = dialects[options.dialect];
  const limits: RpcLimits = { ...(transport === 'port' ? portLimits : defaultLimits), ...options.limits };
  const ended = new AbortController();
  const outbox = createOutbox(deps.transmit);
  const subscriptions = openSubscriptions(deps, outbox, options.isBlocked);
  const dispatch = createDispatch(
    {
      ...deps,
      subscriptions,
      context: {
        connection: deps.number,
        dialect,
        denyUnsafe,
        methods: deps.methods,
        maxResponseBytes: limits.maxResponseBytes,
        isShared: transport === 'http',
        signal: ended.signal,
      },
    },
    { carriesNotifications: transport !== 'http', maxSubscriptions: limits.maxSubscriptions },
  );
  const { read, answer } = createRequestHandler({
    ...deps,
    dispatch,
    limits,
    dialect,
    announce: transport === 'ws' && dialect.announcesInBatches ? outbox.respond : null,
    signal: ended.signal,
  });
  const results = createResultWindow(deps.sizes, ended.signal);
  const finish = (reply: Answer | null): void => {
    // If a subscription opened while the connection was closing, nothing else would end it.
    if (ended.signal.aborted) subscriptions.closeAll();
    else if (reply !== null) {
      outbox.respond(reply.text);
      reply.after?.();
    }
  };
  /** Starts a call; the next one waits for the promise. */
  const respond = (one: Read): void | Promise<void> => {
    const reply = answer(one, connection);
    if (reply instanceof Promise) {
      const free = results.reserve(one.incoming);
      void reply.then(finish).finally(free);
    } else finish(reply);
    return results.wait() ?? undefined;
  };
  const line = createInputQueue({
    read,
    handle: respond,
    pause: deps.startPace().pause,
    signal: ended.signal,
  });
  const connection: Connection = {
    receive: (text) => {
      if (ended.signal.aborted) return;
      if (!line.push(text)) outbox.respond(writeRefusal(text, serverBusy));
    },
    handle: async (text) => {
      const reply = await answer(await read(text), transport === 'http' ? {} : connection);
      reply?.after?.();
      return reply?.text ?? null;
    },
    setFull: results.setFull,
    close: () => {
      ended.abort();
      subscriptions.closeAll();
      outbox.close();
    },
  };
  return connection;
};
