import type * as z from 'zod/mini';
import type { DenyUnsafe, Dialect } from '../node.ts';

export type Schema = z.ZodMiniType;

/** The kind by which a form chooses an input for a parameter. */
export type ParamKind =
  | 'account'
  | 'amount'
  | 'blockNumbers'
  | 'boolean'
  | 'bytes'
  | 'bytesList'
  | 'chainFormat'
  | 'contractCall'
  | 'contractInstantiation'
  | 'contractUpload'
  | 'diffItems'
  | 'dryRun'
  | 'extrinsicsOrHashes'
  | 'finalityMode'
  | 'hash'
  | 'hashes'
  | 'headTarget'
  | 'height'
  | 'justification'
  | 'leavesProof'
  | 'moment'
  | 'newBlock'
  | 'sealMode'
  | 'storage'
  | 'storageItems'
  | 'text'
  | 'u32';

/** A parameter: parses the wire form. The JSON schema of its kind is in scripts/openrpc.ts. */
export type Param<Out = unknown, In = unknown> = {
  readonly kind: ParamKind;
  readonly isOptional: boolean;
  /** Its value is a secret: it must never be displayed, logged or stored, and forms hide it. */
  readonly isSecret?: true;
  /** The parsed form. Throws `Refused`. */
  readonly read: (value: unknown) => Out;
  /** Never set: exists only for the type of what callers pass. */
  readonly given?: readonly [In];
  /** The error text if the SDK does not accept a value that the parameter accepts; null if it does. */
  readonly refusedBySdk?: (value: unknown) => string | null;
};
export type Params = Readonly<Record<string, Param>>;

export type Marking = 'safe' | 'unsafe';
/** One marking for both dialects, or one each. */
export type Safety = Marking | Readonly<Record<Dialect, Marking>>;

type Common<P extends Params, R extends Schema> = {
  readonly doc: string;
  /** Ordered: a parameter can be passed by position or by name. */
  readonly params: P;
  readonly result: R;
  readonly safety: Safety;
  /** A safe method that is unsafe under polkadot-sdk if this argument is absent. */
  readonly sdkUnsafeWithout?: keyof P & string;
  readonly aliases?: readonly string[];
  readonly deprecated?: string;
  /**
   * Listed by `rpc_methods` if the best block's runtime has this API; "Method not found" at a block without
   * it.
   */
  readonly needsApi?: string;
  readonly example?: { readonly args: Readonly<Record<string, unknown>>; readonly result: unknown };
};

export type CallEntry<P extends Params = Params, R extends Schema = Schema> = Common<P, R> & {
  readonly kind: 'call';
  /** Two or more positional values are treated as one list for the first parameter. */
  readonly isVariadic?: boolean;
};

export type SubscriptionEntry<P extends Params = Params, R extends Schema = Schema> = Common<P, R> & {
  readonly kind: 'subscription';
  /** The method name of every notification, whichever alias was called. */
  readonly event: string;
  readonly unsubscribe: string;
  readonly unsubscribeAliases?: readonly string[];
  /**
   * How many items may wait behind a blocked connection before the subscription is dropped; 16 by default.
   */
  readonly maxWaiting?: number;
  /** The last item sent to such a subscription. */
  readonly lastItem?: unknown;
};

export type Entry = CallEntry | SubscriptionEntry;
export type RpcTable = Readonly<Record<string, Entry>>;

/** Declares a method with a single response. */
export const call = <P extends Params, R extends Schema>(
  entry: Omit<CallEntry<P, R>, 'kind'>,
): CallEntry<P, R> => ({
  kind: 'call',
  ...entry,
});

/** Declares a method that returns an id and then sends notifications. */
export const subscription = <P extends Params, R extends Schema>(
  entry: Omit<SubscriptionEntry<P, R>, 'kind'>,
): SubscriptionEntry<P, R> => ({ kind: 'subscription', ...entry });

type ParamsOf<E> =
  E extends CallEntry<infer P, Schema> ? P : E extends SubscriptionEntry<infer P, Schema> ? P : never;
type ResultOf<E> =
  E extends CallEntry<Params, infer R> ? R : E extends SubscriptionEntry<Params, infer R> ? R : never;

/** What a handler of the entry receives. */
export type Args<E> = { readonly [K in keyof ParamsOf<E>]: ReturnType<ParamsOf<E>[K]['read']> };

type Inputs<P> = { readonly [K in keyof P]: P[K] extends Param<unknown, infer In> ? In : never };
type OptionalKeys<T> = { [K in keyof T]: undefined extends T[K] ? K : never }[keyof T];

/** What a caller of the entry passes, by name. */
export type Input<E> = Omit<Inputs<ParamsOf<E>>, OptionalKeys<Inputs<ParamsOf<E>>>> &
  Partial<Pick<Inputs<ParamsOf<E>>, OptionalKeys<Inputs<ParamsOf<E>>>>>;

/** What an entry returns, or what each of its notifications carries. */
export type Result<E> = z.output<ResultOf<E>>;

/** Whether a parameter of the method is a secret. None of the arguments of such a call may be displayed or stored. */
export const hasSecret = ({ params }: Entry): boolean =>
  Object.values(params).some(({ isSecret }) => isSecret === true);

export const markingOf = (entry: Entry, dialect: Dialect): Marking =>
  typeof entry.safety === 'string' ? entry.safety : entry.safety[dialect];

const dialects: readonly Dialect[] = ['psp-6', 'polkadot-sdk'];

/**
 * Whether a connection with this setting refuses a call with these parsed arguments. This is the only place
 * that decides.
 */
export const isDenied = (
  entry: Entry,
  denyUnsafe: DenyUnsafe,
  args: Readonly<Record<string, unknown>>,
): boolean => {
  const needed = entry.sdkUnsafeWithout;
  const lacksNeeded = needed !== undefined && (args[needed] ?? null) === null;
  const isMarked = (dialect: Dialect): boolean =>
    markingOf(entry, dialect) === 'unsafe' || (dialect === 'polkadot-sdk' && lacksNeeded);
  return dialects.some((dialect) => (denyUnsafe === true || denyUnsafe === dialect) && isMarked(dialect));
};
