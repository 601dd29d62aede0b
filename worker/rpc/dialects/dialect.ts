import type { Dialect, SealMode } from '../../../src/protocol/node.ts';
import type { chain } from '../../../src/protocol/rpc/chain.ts';
import type { Entry, Param, Result } from '../../../src/protocol/rpc/define.ts';
import type { Route } from '../../../src/protocol/rpc/index.ts';
import type { payment } from '../../../src/protocol/rpc/payment.ts';
import type { SealResult } from '../../author/author.ts';
import type { AddressHash } from '../../crypto/ss58.ts';
import type { RpcError, RpcErrorData } from '../errors.ts';
import type { Flaw, Id, Message } from '../message.ts';

export type Arguments = Readonly<Record<string, unknown>>;
/** The value of a parameter, which may be absent. Throws `Refused`. */
export type ReadParam = (param: Param, value: unknown, name: string) => unknown;
type Block = NonNullable<Result<(typeof chain)['chain_getBlock']>>;

/** Weight and fee of an extrinsic; the fee is in the smallest unit. */
export type DispatchInfo = {
  readonly refTime: bigint;
  readonly proofSize: bigint;
  readonly class: 'normal' | 'operational' | 'mandatory';
  readonly partialFee: bigint;
};

/** What becomes of a runtime call of `archive_v1_call`. */
export type CallOutcome =
  | { readonly success: true; readonly value: string }
  | { readonly success: false; readonly error: string };

/** The fields of a chain specification: those of the format, and those a chain adds to it. */
export type SpecFields = {
  readonly known: Readonly<Record<string, unknown>>;
  readonly extensions: Readonly<Record<string, unknown>>;
  readonly codeSubstitutes: unknown;
  readonly genesis: unknown;
};

/** How texts and lists of parameters are read, and what the server itself says. */
type Reading = {
  readonly isId: (value: unknown) => value is Id;
  /** A message that is a list; `nameless` is the refusal of what has no id. */
  readonly readList: (list: readonly unknown[], nameless: RpcErrorData) => Message;
  /** For each message of a text; null where none is looked for. */
  readonly flawsOf: (text: string, isBatch: boolean) => readonly Flaw[] | null;
  /** Why a list of parameters without items, somewhere in `text`, cannot be read; null when it can. */
  readonly faultOfEmptyList: (text: string) => string | null;
  /** The parsed value of a parameter that is there. Throws `Refused`. */
  readonly readParam: (param: Param, value: unknown) => unknown;
  /** Why an absent parameter is refused. */
  readonly absent: string;
  /** Why a parameter is refused, with its name where the dialect says it. */
  readonly refusalOf: (name: string, why: string) => string;
  /**
   * Arguments by name; `nameOf` takes either spelling, `read` a value that may be absent. Throws `Refused`.
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
  /** Whether a WebSocket sends the answers of subscribe calls in a batch by themselves, too. */
  readonly announcesInBatches: boolean;
};

/** What parameters may be, beyond their form. Each throws the refusal as an `RpcError`. */
type Judging = {
  readonly readAccount: (hash: AddressHash, text: string) => Uint8Array;
  /** The first byte of an extrinsic; null where it has none. */
  readonly checkVersion: (version: number | null) => void;
  readonly checkKeyType: (keyType: string) => void;
  /** Hex texts of an archive subscription, before it opens. */
  readonly checkHex: (texts: readonly (string | null | undefined)[]) => void;
  readonly checkDiffItems: (
    items: readonly { readonly key?: string | null | undefined }[] | null | undefined,
  ) => void;
  /** `best` where local offchain values may be asked for. */
  readonly localOwner: <B>(best: B) => B;
  readonly hasEngine: (mode: SealMode) => boolean;
  readonly maxKeysPaged: number;
};

/** How results look. */
type Presenting = {
  readonly block: (block: Block['block'], grandpa: string | null, all: Block['justifications']) => Block;
  /** Of those that become final at once, whose headers `chain_subscribeAllHeads` sends again. */
  readonly finalizedAmongAll: <B>(blocks: readonly B[]) => readonly B[];
  readonly dispatchInfo: (info: DispatchInfo) => Result<(typeof payment)['payment_queryInfo']>;
  readonly removed: (hash: string, extrinsic: Uint8Array) => string;
  readonly customChainType: (name: string) => string | { Custom: string };
  readonly chainSpec: (fields: SpecFields) => Readonly<Record<string, unknown>>;
  /** The size of a key without value; `sum` adds up those under it. */
  readonly sizeOfNone: (sum: () => Promise<number | null>) => Promise<number | null>;
  /** `archive_v1_call` at a block that is not there. */
  readonly callNowhere: (why: string) => CallOutcome | null;
};

/** How refusals are worded and numbered. */
type Refusing = {
  readonly malformedExtrinsic: (why: string) => RpcError;
  readonly malformedHex: (why: string) => RpcError;
  readonly tooLowPriority: (old: bigint, offered: bigint) => RpcError;
  readonly poolIsFull: () => RpcError;
  readonly validationFailed: (why: string) => RpcError;
  /** Why a block on a parent below the finalized one was not taken. */
  readonly belowFinalized: (refusal: Extract<SealResult, { ok: false }>) => string;
};

/** Where the specifications differ in what a call does. */
type Acting = {
  /** Whether `engine_createBlock` notes what the block reads. */
  readonly provesBlocks: boolean;
  /** Whether a broadcast that is over counts until it is stopped. */
  readonly countsOverBroadcasts: boolean;
  /** Whether stopping a broadcast takes the transaction out of the pool. */
  readonly stopTakesOut: boolean;
  /** Whether `chainHead_v1_header` takes the room of an operation. */
  readonly headerIsOperation: boolean;
};

/**
 * All in which the answers of one dialect differ from those of the other (decision 25). Handlers never ask
 * which it is.
 */
export type RpcDialect = { readonly name: Dialect } & Reading & Judging & Presenting & Refusing & Acting;
