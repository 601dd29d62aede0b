import { bytesToHex } from '../bytes/hex.ts';

/** A value or a promise of it. A value known synchronously is passed on without an extra tick. */
export type Soon<T> = T | Promise<T>;

/** Calls `next` with the value, synchronously if possible. */
export const andThen = <T, R>(value: Soon<T>, next: (value: T) => R): Soon<R> =>
  value instanceof Promise ? value.then(next) : next(value);

/**
 * Calls `done` with the result of the work, or `failed` with what the work or `done` throws; synchronously if
 * possible.
 */
export const settle = <T, R>(
  work: () => Soon<T>,
  done: (value: T) => R,
  failed: (error: unknown) => R,
): Soon<R> => {
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
export type Written<T> = { readonly [text]: string; readonly stands?: T };

const written = <T>(json: string): Written<T> => ({ [text]: json });

/** The text of a result that is already serialized; null for any other result. */
export const textOf = (result: unknown): string | null =>
  typeof result === 'object' && result !== null && text in result ? (result as Written<unknown>)[text] : null;

export const writtenHex = (bytes: Uint8Array): Written<string> => written(`"${bytesToHex(bytes)}"`);

/** A JSON list of hex strings. */
const hexList = (list: readonly Uint8Array[]): string => `[${list.map((bytes) => `"${bytesToHex(bytes)}"`)}]`;

/** A state proof for a block, whose hash is hex. */
export const writtenProof = (
  at: string,
  proof: readonly Uint8Array[],
): Written<{ at: string; proof: string[] }> => written(`{"at":"${at}","proof":${hexList(proof)}}`);
