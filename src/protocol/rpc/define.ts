import type * as z from 'zod/mini';
import type { DenyUnsafe, Dialect } from '../node.ts';

export type Schema = z.ZodMiniType;

/** The kind by which a form chooses an input for a parameter. */
export type ParamKind =
  | 'account'
  | 'amount'
  | 'blockNumbers'
  | 'blockToRun'
  | 'boolean'
  | 'buildMode'
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
  | 'forkChange'
  | 'hash'
  | 'hashes'
  | 'headTarget'
  | 'height'
  | 'justification'
  | 'leavesProof'
  | 'moment'
  | 'networkChange'
  | 'newBlock'
  | 'runtimeLogLevel'
  | 'sealMode'
  | 'storage'
  | 'storageItems'
  | 'text'
  | 'u32';

/** A parameter: parses the wire form. The JSON schema of its kind is in params/schemas.ts. */
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
  /** Ordered: a parameter can be passed by position or by name. */
  readonly params: P;
  readonly safety: Safety;
  /** A safe method that is unsafe under polkadot-sdk if this argument is absent. */
  readonly sdkUnsafeWithout?: keyof P & string;
  readonly aliases?: readonly string[];
  /**
   * Listed by `rpc_methods` if the best block's runtime has this API; "Method not found" at a block without
   * it.
   */
  readonly needsApi?: string;
  /** Never set: exists only for the type of the result, whose schema is in results/. */
  readonly returns?: readonly [R];
};

export type CallEntry<P extends Params = Params, R extends Schema = Schema> = Common<P, R> & {
  readonly kind: 'call';
  /** Two or more positional values are treated as one list for the first parameter. */
  readonly isVariadic?: boolean;
  /** Calls in a row of one batch run at the same time. They take effect in the order of the batch. */
  readonly runsTogether?: true;
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

/** What people read about a method. It is kept apart from the table, which every start loads. */
export type MethodDoc = {
  readonly doc: string;
  /** Why not to use it, and what to use instead. */
  readonly deprecated?: string;
  /** Arguments by name. */
  readonly example?: Readonly<Record<string, unknown>>;
};
export type MethodDocs = Readonly<Record<string, MethodDoc>>;

/** What a method returns, or what each of its notifications carries, with the result of the example in its docs. */
export type MethodResult = { readonly schema: Schema; readonly example?: unknown };
export type MethodResults = Readonly<Record<string, MethodResult>>;

/** Declares a method with a single response. */
export const call = <P extends Params>(entry: Omit<CallEntry<P>, 'kind' | 'returns'>): CallEntry<P> => ({
  kind: 'call',
  ...entry,
});

/** Declares a method that returns an id and then sends notifications. */
export const subscription = <P extends Params>(
  entry: Omit<SubscriptionEntry<P>, 'kind' | 'returns'>,
): SubscriptionEntry<P> => ({ kind: 'subscription', ...entry });

type Returning<E, R extends Schema> =
  E extends CallEntry<infer P>
    ? CallEntry<P, R>
    : E extends SubscriptionEntry<infer P>
      ? SubscriptionEntry<P, R>
      : never;

/**
 * Declares a group of methods. `R` is the type of their results, of which nothing is loaded: the schemas serve the docs and
 * tests. A method that is missing on one side does not compile.
 */
export const methods =
  <R extends MethodResults>() =>
  <T extends Readonly<Record<keyof R, Entry>>>(
    table: T & Readonly<Record<Exclude<keyof T, keyof R>, never>>,
  ): { readonly [M in keyof R]: Returning<T[M], R[M]['schema']> } =>
    table as never;

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
