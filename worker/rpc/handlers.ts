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
import type { Soon } from './soon.ts';
import type { Written } from './written.ts';

/** What a method knows of the connection it is called on. */
export type CallContext = {
  /** Number of the connection. */
  readonly connection: number;
  readonly dialect: RpcDialect;
  readonly denyUnsafe: DenyUnsafe;
  /** The longest answer the connection takes; what gathers a long one stops there. */
  readonly maxResponseBytes: number;
  /** Every name the server answers to, sorted. */
  readonly methods: readonly string[];
  /**
   * Whether each text on it stands for a connection of its own, as over HTTP: nothing is kept for a later
   * one.
   */
  readonly isShared: boolean;
  /** Aborts when the connection is over. */
  readonly signal: AbortSignal;
};

/** A call that is answered once. */
export type OneCall = CallContext & {
  /** Stands for the connection in what is counted per connection; over HTTP for the one request or batch. */
  readonly caller: object;
  /** Runs `work` once the answer has left. */
  after(work: () => void): void;
};

/**
 * Where a subscription puts its items. Items before the subscribe response are held back until it is sent.
 */
export type Sink<T> = {
  readonly id: string;
  /** Whether the client is behind: what is made for it alone can wait. */
  readonly isBlocked: () => boolean;
  readonly emit: (item: T) => void;
  /** The stream is over: nothing more is sent and the id is forgotten. */
  readonly end: () => void;
};

type CallHandler<E, D> = (deps: D, args: Args<E>, context: OneCall) => Soon<Result<E> | Written<Result<E>>>;
type SubscriptionHandler<E, D> = (
  deps: D,
  args: Args<E>,
  sink: Sink<Result<E>>,
  context: CallContext,
) => Soon<() => void>;

/**
 * One function per entry of a table: a missing method, a wrong argument or a wrong result does not compile.
 */
export type Handlers<T, D> = {
  readonly [K in keyof T]: T[K] extends CallEntry<Params, Schema>
    ? CallHandler<T[K], D>
    : T[K] extends SubscriptionEntry<Params, Schema>
      ? SubscriptionHandler<T[K], D>
      : never;
};
