/** Every error code of the node with the sentence shown to users. Docs, RPC and UI share this list. */
export const errorCodes = {
  Aborted: 'The operation was aborted.',
  BadAccountFile: 'The file is not a JSON account of polkadot-js.',
  BadBlock: 'The block is not valid.',
  BadClaim: 'The author of the block did not win its slot.',
  BadCode: 'The runtime code is not a WebAssembly module this node can run.',
  BadConfig: 'A setting of the node is invalid.',
  BadDigest: 'The block digest has a missing or unexpected consensus item.',
  BadEpoch: 'The epoch announcement of the block is wrong, missing or misplaced.',
  BadExtrinsic: 'The bytes are not an extrinsic.',
  BadHex: 'The text is not hexadecimal.',
  BadInherents: 'The inherents of the block are invalid.',
  BadJustification: 'The justification does not prove the block final.',
  BadKey: 'The secret URI or key is not valid.',
  BadRecording: 'The text is not a recording of JSON-RPC messages.',
  BadScale: 'The bytes do not decode.',
  BadSeal: 'The block has no valid seal by its author.',
  BadSignature: 'The signature does not match this key and message.',
  BadSlot: "The slot of the block is not after its parent's slot.",
  BadSpec: 'The chain specification is not valid.',
  BadValue: 'The value does not match its type in the runtime.',
  ChainInUse: 'Another tab or process already runs this chain.',
  CryptoUnavailable: 'The cryptography module could not be loaded.',
  Disconnected: 'The worker of the node ended or the connection closed.',
  EndpointFailed: 'No endpoint of the live chain could be read.',
  EndpointLied: 'An endpoint of the live chain returned data that its hash contradicts.',
  EndpointUnfit: 'The endpoint cannot serve as the origin of a fork.',
  ExtrinsicsRootMismatch: 'The extrinsics root of the block does not match its body.',
  FutureBlock: 'The time of the block is in the future.',
  InNetwork: 'Other nodes of the network could not follow.',
  InherentFailed: 'A mandatory inherent could not be applied.',
  Internal: 'Internal error of the node.',
  LimitReached: 'A limit was reached.',
  MissingApi: 'The runtime lacks a required API.',
  NoClaimableKey: 'No key in the keystore may author a block.',
  NotAllowed: "The server's options do not allow this.",
  NotCached: 'This part of the live chain is neither stored here nor available from its endpoints.',
  NotFinalizable: 'The block cannot be finalized.',
  OutOfFuel: 'The runtime call ran out of fuel.',
  PeerFailed: 'Another node was not reached, or broke the protocol.',
  QueueFull: 'Too many requests are waiting.',
  RuntimeTrap: 'The runtime call trapped.',
  StateDiscarded: 'The state of this block was discarded.',
  StateRootMismatch: 'The state root of the block does not match its execution.',
  StorageBroken: 'The database is damaged or could not be opened.',
  StorageDenied: 'The browser does not let this page store data.',
  StorageQuota:
    'The browser refused to store more data. Stored data is safe. Delete a chain or free disk space, then continue.',
  StorageReadOnly: 'The location of the database is not writable.',
  UnknownBlock: 'The block is not known.',
  UnknownParent: 'The chain cannot continue from this parent.',
  UnknownSnapshot: 'There is no snapshot with that name.',
  Unsupported: 'Not supported by this chain, or not in its current mode.',
  WrongAuthor: 'The slot of the block belongs to another author.',
  WrongPassword: 'The password does not open this account.',
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

/**
 * The error itself, but `LimitReached` without a path for the system's limit of open files, which also keeps modules
 * from being loaded.
 */
export const nameFault = (error: unknown): unknown => {
  const isFull = /\bE[MN]FILE\b/.test(String(error));
  return isFull && error instanceof Error && !(error instanceof NodeError)
    ? new NodeError(
        'LimitReached',
        'No more files can be opened; close connections or raise the limit (ulimit -n).',
        { cause: error },
      )
    : error;
};

export const errorToData = (thrown: unknown): ErrorData => {
  const error = nameFault(thrown);
  return error instanceof NodeError
    ? { code: error.code, message: error.message, details: error.details }
    : { code: 'Internal', message: error instanceof Error ? error.message : String(error), details: {} };
};

export const dataToError = (data: ErrorData): NodeError =>
  new NodeError(data.code, data.message, { details: { ...data.details } });

/**
 * An error as an operator reads it in the log: one line if it has a code; otherwise its stack, which a bug report
 * needs.
 */
export const errorToLog = (thrown: unknown): string => {
  const error = nameFault(thrown);
  if (error instanceof NodeError) return `${error.code}: ${error.message}`;
  return (error as { readonly stack?: string } | null)?.stack ?? String(error);
};
