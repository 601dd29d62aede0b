import { bytesToText } from '../../bytes/bytes.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { Overlay } from '../../state/overlay.ts';
import type { KnownRoot } from '../../trie/ordered-root.ts';
import type { CallLog } from '../call-log.ts';
import type { CallExtensions } from '../extensions.ts';
import type { FuelMeter } from '../fuel.ts';
import type { GuestMemory } from '../guest-memory.ts';
import type { SignatureCache } from '../signature-cache.ts';
import { Trap } from '../trap.ts';

/** The state of one runtime call, dropped with it. */
export type CallState = {
  readonly overlay: Overlay;
  readonly extensions: CallExtensions;
  readonly verifiedSignatures: SignatureCache | null;
  readonly knownRoot: KnownRoot | null;
  readonly log: CallLog;
  /** Transactions that the runtime has opened and not closed. */
  openTransactions: number;
  /** AND of the `*_batch_verify` results since start_batch_verify. Null if no batch is open. */
  batch: boolean | null;
  /** Message of ext_panic_handler_abort_on_panic. */
  panic: string | null;
};

/** Hashes used by host functions; the executor may wrap them in a memo. */
export type HostHashes = Pick<
  Crypto,
  'blake2b128' | 'blake2b256' | 'twox64' | 'twox128' | 'twox256' | 'keccak256' | 'keccak512' | 'sha2256'
>;

/** The context of an instance's host functions. `call` is replaced for each runtime call. */
export type HostContext = {
  readonly crypto: Crypto;
  readonly hashes: HostHashes;
  readonly memory: GuestMemory;
  readonly fuel: FuelMeter;
  /** The current result of `ext_logging_max_level`. */
  readonly maxLogLevel: () => number;
  /** The SCALE RuntimeVersion of a code blob, or null if it is not a runtime (ext_misc_runtime_version). */
  readonly versionOf: (code: Uint8Array) => Uint8Array | null;
  call: CallState;
};

/** Wasm arguments as JavaScript sees them: i32 a number, i64 a bigint. */
export type HostHandler = (...args: never[]) => unknown;

/**
 * One row of the host function table: name, Wasm type (i = i32, I = i64), and a function that creates the
 * handler for an instance. `also` lists the other parameter types with which runtimes import the same
 * function.
 */
export type HostFunction = {
  readonly name: string;
  readonly params: string;
  readonly results: string;
  readonly also?: string;
  /**
   * The handler charges its own fuel. Two of three calls go to the allocator, and a wrapper would cost as
   * much as they do.
   */
  readonly isMetered?: true;
  readonly create: (host: HostContext) => HostHandler;
};

/**
 * A `&str` argument of the SDK, of which at most the first `most` bytes are kept. Traps unless all of its
 * bytes are UTF-8.
 */
export const takeText = ({ memory }: HostContext, span: bigint, most = 2 ** 32): string => {
  const bytes = memory.view(span);
  try {
    const text = bytesToText(bytes);
    return bytes.length > most ? memory.text(span, most) : text;
  } catch {
    throw new Trap('A text is not UTF-8');
  }
};

/** A number of an enum from 0 to `last`. Traps if it is another one. */
export const checkVariant = (value: number, last: number, what: string): number => {
  if (value >>> 0 > last) throw new Trap(`${value} is not a ${what}`);
  return value;
};
