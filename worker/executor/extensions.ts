import { Trap } from './trap.ts';

/** Signature schemes a keystore may hold. */
export type KeyScheme = 'sr25519' | 'ed25519' | 'ecdsa';

/**
 * The keystore as used by host functions. A key type is a string with one character for each of its four
 * bytes.
 */
export type KeystoreHost = {
  publicKeys(keyType: string, scheme: KeyScheme): Uint8Array[];
  /** Creates a key from a secret URI, or a random one, and stores it. Returns the public key. */
  generate(keyType: string, scheme: KeyScheme, suri: string | null): Uint8Array;
  /** Null if the key is not in the store. ecdsa hashes the message with blake2b-256. */
  sign(keyType: string, scheme: KeyScheme, publicKey: Uint8Array, message: Uint8Array): Uint8Array | null;
  /** `sign` with an ecdsa key, of a digest of 32 bytes instead of a message. */
  signPrehashed(keyType: string, publicKey: Uint8Array, digest: Uint8Array): Uint8Array | null;
};

/** Why an HTTP host function failed, as its SCALE discriminant. */
export type HttpError = 1 | 2 | 3;
/** State of a request: deadline, I/O error, unknown id, or finished with a status code. */
export type HttpStatus =
  | { readonly kind: 'deadline' }
  | { readonly kind: 'io' }
  | { readonly kind: 'invalid' }
  | { readonly kind: 'finished'; readonly status: number };

/** HTTP requests of offchain workers. A null result means `Err(())`. */
export type OffchainHttpHost = {
  start(method: string, uri: string): number | null;
  addHeader(id: number, name: string, value: string): boolean;
  writeBody(id: number, chunk: Uint8Array, deadline: bigint | null): HttpError | null;
  wait(ids: readonly number[], deadline: bigint | null): HttpStatus[];
  headers(id: number): (readonly [Uint8Array, Uint8Array])[];
  readBody(id: number, maxBytes: number, deadline: bigint | null): Uint8Array | HttpError;
};

/** Implements the offchain host functions. Without it, they trap. */
export type OffchainHost = {
  isValidator(): boolean;
  submitTransaction(extrinsic: Uint8Array): boolean;
  networkState(): { readonly peerId: Uint8Array; readonly addresses: readonly Uint8Array[] } | null;
  timestampMs(): bigint;
  sleepUntilMs(deadline: bigint): void;
  randomSeed(): Uint8Array;
  /** Kind 0 is persistent, 1 local to the fork. */
  localStorageSet(kind: number, key: Uint8Array, value: Uint8Array): void;
  localStorageClear(kind: number, key: Uint8Array): void;
  localStorageCompareAndSet(
    kind: number,
    key: Uint8Array,
    old: Uint8Array | null,
    value: Uint8Array,
  ): boolean;
  localStorageGet(kind: number, key: Uint8Array): Uint8Array | null;
  setAuthorizedNodes(peerIds: readonly Uint8Array[], authorizedOnly: boolean): void;
  readonly http: OffchainHttpHost | null;
};

/** An offchain extension that permits only the operations in `allowed`. */
export const limitedOffchain = (why: string, allowed: Partial<OffchainHost>): OffchainHost => {
  const refuse = (): never => {
    throw new Trap(why);
  };
  return {
    isValidator: refuse,
    submitTransaction: refuse,
    networkState: refuse,
    timestampMs: refuse,
    sleepUntilMs: refuse,
    randomSeed: refuse,
    localStorageSet: refuse,
    localStorageClear: refuse,
    localStorageCompareAndSet: refuse,
    localStorageGet: refuse,
    setAuthorizedNodes: refuse,
    http: null,
    ...allowed,
  };
};

/** What a runtime built with tracing reports about a span or an event. Level 0 is an error, 4 a trace. */
export type TraceEntry = {
  readonly name: string;
  readonly target: string;
  readonly level: number;
  readonly isSpan: boolean;
};

/** Receives the spans of a runtime. Without a receiver, none are recorded. */
export type TracingHost = {
  isEnabled(entry: TraceEntry): boolean;
  /** Returns the span's id. */
  enter(entry: TraceEntry, parentId: bigint | null): bigint;
};

export type CallExtensions = {
  readonly keystore?: KeystoreHost;
  readonly offchain?: OffchainHost;
  readonly tracing?: TracingHost;
};
