import type { KeyType } from '../../../src/accounts/pair.ts';

/** A key that the page's key worker holds until the page is closed. */
export type HeldKey = {
  /** Account id as a 0x string: 32 bytes, or 20 for Ethereum. */
  readonly id: string;
  readonly type: KeyType;
  /** From its file; null for a secret URI. */
  readonly name: string | null;
  /** Its own JSON if that is encrypted as it would be today; null otherwise, and for a secret URI. */
  readonly text: string | null;
};

/** An account of a file with several that has another password. */
export type LockedAccount = {
  readonly name: string | null;
  readonly address: string | null;
  readonly text: string;
};

export type OpenedKeys = { readonly opened: readonly HeldKey[]; readonly locked: readonly LockedAccount[] };

/** A signature without a byte for its scheme, as a 0x string. */
export type KeySignature = { readonly type: KeyType; readonly signature: string };

/** Observes the opening of a file. */
export type Opening = {
  /** Called after each account. */
  readonly onOpened?: (done: number, total: number) => void;
  /** Ends it with `Aborted`; then no key of the file is held. */
  readonly signal?: AbortSignal;
};

/** What a page asks its key worker; no secret ever comes back. All reject with what is wrong. */
export type KeyCalls = {
  /** Holds the key of a secret URI. */
  add(suri: string, type: KeyType): Promise<HeldKey>;
  /** Signs with a key that is held, by its account id. */
  sign(id: string, payload: Uint8Array): Promise<KeySignature>;
  /** Signs with the sr25519 key of a secret URI, which is not held. */
  signOnce(suri: string, payload: Uint8Array): Promise<KeySignature>;
  /** Holds the keys of a JSON account, or of a file with several; half a second for each. */
  open(text: string, password: string, opening?: Opening): Promise<OpenedKeys>;
  /** The encrypted JSON account of a key that is held. */
  save(id: string, name: string, password: string): Promise<string>;
  forget(id: string): Promise<void>;
  /** Whether a MultiSignature (0x string: a byte for the scheme, then the signature) over a payload is by an account. */
  verify(id: string, payload: Uint8Array, signature: string): Promise<boolean>;
};

export type KeyCallName = keyof KeyCalls;

/** A call to the worker, or the end of one. */
export type ToKeys =
  | { readonly turn: number; readonly call: KeyCallName; readonly args: readonly unknown[] }
  | { readonly turn: number; readonly isAborted: true };

export type KeyAnswer =
  | { readonly turn: number; readonly done: number; readonly total: number }
  | { readonly turn: number; readonly value: unknown }
  | { readonly turn: number; readonly fault: { readonly code: string | null; readonly message: string } };

/** What the worker posts: first the Web Lock that it holds until it ends. */
export type FromKeys = { readonly lock: string } | KeyAnswer;
