import type { Dialect, SealMode } from '../../../src/protocol/node.ts';
import type { chain } from '../../../src/protocol/rpc/chain.ts';
import type { Entry, Param, Result } from '../../../src/protocol/rpc/define.ts';
import type { Route } from '../../../src/protocol/rpc/index.ts';
import type { payment } from '../../../src/protocol/rpc/system.ts';
import type { SealResult } from '../../author/author.ts';
import type { Id } from '../connection/message.ts';
import type { AccountDeps } from '../convert.ts';
import type { RpcError, RpcErrorData } from '../errors.ts';

export type Arguments = Readonly<Record<string, unknown>>;
/** Parses a parameter that may be absent. Throws `Refused`. */
export type ReadParam = (param: Param, value: unknown, name: string) => unknown;
type Block = NonNullable<Result<(typeof chain)['chain_getBlock']>>;

/** Weight and fee of an extrinsic; the fee is in the smallest unit. */
export type DispatchInfo = {
  readonly refTime: bigint;
  readonly proofSize: bigint;
  readonly class: 'normal' | 'operational' | 'mandatory';
  readonly partialFee: bigint;
};

/** The outcome of a runtime call by `archive_v1_call`. */
export type CallOutcome =
  | { readonly success: true; readonly value: string }
  | { readonly success: false; readonly error: string };

/** The fields of a chain specification: those of the format, and those a chain adds. */
export type SpecFields = {
  readonly known: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly codeSubstitutes: object;
  readonly genesis: unknown;
};

/** How texts and parameter lists are parsed, and the server's own messages. */
type Reading = {
  readonly isId: (value: unknown) => value is Id;
  /** Parses a parameter that is present. Throws `Refused`. */
  readonly readParam: (param: Param, value: unknown) => unknown;
  /** The error for an absent parameter. */
  readonly absent: string;
  /** The error for a refused parameter, with its name if the dialect reports it. */
  readonly refusalOf: (name: string, why: string) => string;
  /**
   * Named arguments; `nameOf` accepts either spelling, `read` parses a value that may be absent. Throws
   * `Refused`.
   */
  readonly readNamed: (
    entry: Entry,
    given: object,
    nameOf: (written: string) => string,
    read: ReadParam,
  ) => Arguments;
  /** The id that an unsubscribe call names. */
  readonly namedId: (params: unknown) => unknown;
  readonly unsubscribed: (method: string, wasLive: boolean) => boolean | null;
  readonly denied: (route: Route) => RpcErrorData;
  /** Whether the responses to subscribe calls in a batch are also sent individually over WebSocket. */
  readonly announcesInBatches: boolean;
};

/** Validation of parameters beyond their syntax. Each function throws an `RpcError`. */
type Judging = {
  readonly readAccount: (deps: AccountDeps, text: string) => Uint8Array;
  /** Validates the first byte of an extrinsic; null if it is empty. */
  readonly checkVersion: (version: number | null) => void;
  readonly checkKeyType: (keyType: string) => void;
  /** Validates the hex texts of an archive subscription before it opens. */
  readonly checkHex: (texts: readonly (string | null | undefined)[]) => void;
  readonly checkDiffItems: (
    items: readonly { readonly key?: string | null | undefined }[] | null | undefined,
  ) => void;
  /** Returns `best` if local offchain values may be requested. */
  readonly localOwner: <B>(best: B) => B;
  readonly hasEngine: (mode: SealMode) => boolean;
  readonly maxKeysPaged: number;
};

/** The shape of results. */
type Presenting = {
  readonly block: (block: Block['block'], grandpa: string | null, all: Block['justifications']) => Block;
  /**
   * The finalized blocks whose headers `chain_subscribeAllHeads` sends again, out of those finalized
   * together.
   */
  readonly finalizedAmongAll: <B>(blocks: readonly B[]) => readonly B[];
  readonly dispatchInfo: (info: DispatchInfo) => Result<(typeof payment)['payment_queryInfo']>;
  readonly removed: (hash: string, extrinsic: Uint8Array) => string;
  readonly customChainType: (name: string) => string | { Custom: string };
  readonly chainSpec: (fields: SpecFields) => Readonly<Record<string, unknown>>;
  /** The size of a key without a value; `sum` adds up the values under it. */
  readonly sizeOfNone: (sum: () => Promise<number | null>) => Promise<number | null>;
  /** `archive_v1_call` for a block that does not exist. */
  readonly callNowhere: (why: string) => CallOutcome | null;
};

/** The wording and numbers of errors. */
type Refusing = {
  readonly malformedExtrinsic: (why: string) => RpcError;
  readonly malformedHex: (why: string) => RpcError;
  readonly tooLowPriority: (old: bigint, offered: bigint) => RpcError;
  readonly poolIsFull: () => RpcError;
  readonly validationFailed: (why: string) => RpcError;
  /** Why a block on a parent below the finalized one was refused. */
  readonly belowFinalized: (refusal: Extract<SealResult, { ok: false }>) => string;
};

/** Differences in what a call does. */
type Acting = {
  /** Whether `engine_createBlock` records the block's reads. */
  readonly provesBlocks: boolean;
  /** Whether a completed broadcast counts towards the limit until it is stopped. */
  readonly countsOverBroadcasts: boolean;
  /** Whether stopping a broadcast removes the transaction from the pool. */
  readonly stopTakesOut: boolean;
  /** Whether `chainHead_v1_header` counts as an operation. */
  readonly headerIsOperation: boolean;
};

/**
 * All differences between the responses of the two dialects (decision 25). Handlers never check the dialect's
 * name.
 */
export type RpcDialect = { readonly name: Dialect } & Reading & Judging & Presenting & Refusing & Acting;
