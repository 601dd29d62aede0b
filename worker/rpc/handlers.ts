import type { DenyUnsafe } from '../../src/protocol/node.ts';
import type {
  Args,
  CallEntry,
  Params,
  Result,
  Schema,
  SubscriptionEntry,
} from '../../src/protocol/rpc/define.ts';
import type { RpcDialect } from './dialects/dialect.ts';
import type { MaybePromise, PreserializedJson } from './results.ts';

/** What a method knows about its connection. */
export type CallContext = {
  /** Number of the connection. */
  readonly connection: number;
  readonly dialect: RpcDialect;
  readonly denyUnsafe: DenyUnsafe;
  /** The maximum response length on this connection; methods that collect a long result stop there. */
  readonly maxResponseBytes: number;
  /** Every name the server supports, sorted. */
  readonly methods: readonly string[];
  /**
   * Whether each text counts as a separate connection, as over HTTP, so that no state is kept between them.
   */
  readonly isShared: boolean;
  /** Aborted when the connection closes. */
  readonly signal: AbortSignal;
};

/** A call with a single response. */
export type OneCall = CallContext & {
  /** Identifies the connection for per-connection limits; over HTTP, the single request or batch. */
  readonly caller: object;
  /** Runs `work` after the response has been sent. */
  after(work: () => void): void;
};

/**
 * Receives the items of a subscription. Items emitted before the subscribe response are held back until it
 * has been sent.
 */
export type Sink<T> = {
  readonly id: string;
  /** Whether the client has fallen behind, so that work done only for it can wait. */
  readonly isBlocked: () => boolean;
  readonly emit: (item: T) => void;
  /** Sends what was emitted before the tick ends, for work that blocks the thread. */
  readonly flush: () => void;
  /** Ends the stream: nothing more is sent, and the id becomes invalid. */
  readonly end: () => void;
};

type CallHandler<E, D> = (
  deps: D,
  args: Args<E>,
  context: OneCall,
) => MaybePromise<Result<E> | PreserializedJson<Result<E>>>;
type SubscriptionHandler<E, D> = (
  deps: D,
  args: Args<E>,
  sink: Sink<Result<E>>,
  context: CallContext,
) => MaybePromise<() => void>;

/**
 * One function per entry of a table. A missing method, a wrong argument or a wrong result does not compile.
 */
export type Handlers<T, D> = {
  readonly [K in keyof T]: T[K] extends CallEntry<Params, Schema>
    ? CallHandler<T[K], D>
    : T[K] extends SubscriptionEntry<Params, Schema>
      ? SubscriptionHandler<T[K], D>
      : never;
};
