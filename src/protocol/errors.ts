/**
 * Every error code of the node, each with the sentence shown to users. Docs, RPC and UI all use this list.
 */
export const errorCodes = {
  Aborted: 'The operation was aborted.',
  BadBlock: 'The block is not valid.',
  BadClaim: 'The author of the block did not win its slot.',
  BadCode: 'The runtime code is not a WebAssembly module this node can run.',
  BadConfig: 'The node was started with a setting it does not understand.',
  BadDigest: 'The digest of the block lacks an item of consensus, or has one that does not belong there.',
  BadEpoch: 'What the block announces of an epoch is wrong, missing or out of place.',
  BadExtrinsic: 'The bytes are not an extrinsic.',
  BadHex: 'The text is not hexadecimal.',
  BadInherents: 'The inherents of the block are wrong.',
  BadJustification: 'The justification does not prove the block final.',
  BadKey: 'The secret URI or key is not valid.',
  BadRecording: 'The text is not a recording of JSON-RPC messages.',
  BadScale: 'The bytes do not decode.',
  BadSeal: 'The seal of the block is missing or not of its author.',
  BadSlot: 'The slot of the block is not after that of its parent.',
  BadSpec: 'The chain specification is not valid.',
  BadValue: 'The value does not fit the type that the runtime has for it.',
  ChainInUse: 'Another tab or process already runs this chain.',
  CryptoUnavailable: 'The cryptography module could not be loaded.',
  Disconnected: 'The node is gone: its worker ended or the connection closed.',
  ExtrinsicsRootMismatch: 'The extrinsics root of the block does not match its body.',
  FutureBlock: 'The block is of a time that has not come.',
  InherentFailed: 'A mandatory inherent could not be applied.',
  Internal: 'The node met a fault of its own.',
  LimitReached: 'No more of these are kept: one must go before another comes.',
  MissingApi: 'The runtime lacks an API that is needed.',
  NoClaimableKey: 'No key of the keystore may author a block.',
  NotAllowed: 'This was not allowed when the server was started.',
  NotFinalizable: 'The block cannot be finalized.',
  OutOfFuel: 'The runtime call ran out of fuel.',
  QueueFull: 'Too much waits for its turn already.',
  RuntimeTrap: 'The runtime call trapped.',
  StateDiscarded: 'The state of this block was discarded.',
  StateRootMismatch: 'The state root of the block does not match its execution.',
  StorageBroken: 'The database is damaged or could not be opened.',
  StorageQuota:
    'The browser refused to store more data. What is stored stays: delete a chain or free space on the disk, then go on.',
  StorageReadOnly: 'The place of the database may be read but not written.',
  UnknownBlock: 'The block is not known.',
  UnknownParent: 'The parent of the block is not known.',
  UnknownSnapshot: 'There is no snapshot of that name.',
  Unsupported: 'This chain cannot do that, or not in its present mode.',
  WrongAuthor: 'The slot of the block belongs to another author.',
} as const;

export type ErrorCode = keyof typeof errorCodes;

/** The one error type of the node. Compare `code`, never `message`. */
export class NodeError extends Error {
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>>;
  constructor(
    code: ErrorCode,
    message?: string,
    options: { details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message ?? errorCodes[code], options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'NodeError';
    this.code = code;
    this.details = options.details ?? {};
  }
}

/** An error as it crosses the worker boundary. */
export type ErrorData = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
};

export const errorToData = (error: unknown): ErrorData =>
  error instanceof NodeError
    ? { code: error.code, message: error.message, details: error.details }
    : { code: 'Internal', message: error instanceof Error ? error.message : String(error), details: {} };

export const dataToError = (data: ErrorData): NodeError =>
  new NodeError(data.code, data.message, { details: { ...data.details } });
