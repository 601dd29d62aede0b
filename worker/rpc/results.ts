import { bytesToDigits } from '../../src/protocol/hex.ts';
import { bytesToHex } from '../bytes/hex.ts';

/** A value or a promise of it. A value known synchronously is passed on without an extra tick. */
export type MaybePromise<T> = T | Promise<T>;

/** Calls `next` with the value, synchronously if possible. */
export const andThen = <T, R>(value: MaybePromise<T>, next: (value: T) => R): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/**
 * Calls `done` with the result of the work, or `failed` with what the work or `done` throws; synchronously if
 * possible.
 */
export const settle = <T, R>(
  work: () => MaybePromise<T>,
  done: (value: T) => R,
  failed: (error: unknown) => R,
): MaybePromise<R> => {
  try {
    const value = work();
    return value instanceof Promise ? value.then(done).catch(failed) : done(value);
  } catch (error) {
    return failed(error);
  }
};

const text = Symbol('text');

/**
 * A result that is already JSON text. Hex needs no escapes, but `JSON.stringify` would check each digit, at 3
 * ns each.
 */
export type PreserializedJson<T> = { readonly [text]: string; readonly valueType?: T };

export const preserialized = <T>(json: string): PreserializedJson<T> => ({ [text]: json });

/** The text of a result that is already serialized; null for any other result. */
export const textOf = (result: unknown): string | null =>
  typeof result === 'object' && result !== null && text in result
    ? (result as PreserializedJson<unknown>)[text]
    : null;

export const hexJson = (bytes: Uint8Array): PreserializedJson<string> =>
  preserialized(`"${bytesToHex(bytes)}"`);

/** The transport copies the parts once when it sends them; `join` would copy them before (measured). */
const hexList = (digits: readonly string[]): string => {
  if (digits.length === 0) return '[]';
  let text = '["0x';
  for (let at = 0; at < digits.length; at++) {
    if (at > 0) text += '","0x';
    text += digits[at];
  }
  return `${text}"]`;
};

/** A JSON list of hex strings, from their digits. */
export const hexListJson = (digits: readonly string[]): PreserializedJson<string[]> =>
  preserialized(hexList(digits));

/** A state proof for a block, whose hash is hex. */
export const proofJson = (
  at: string,
  proof: readonly Uint8Array[],
): PreserializedJson<{ at: string; proof: string[] }> =>
  preserialized(`{"at":"${at}","proof":${hexList(proof.map(bytesToDigits))}}`);
