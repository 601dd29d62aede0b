import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';

/**
 * Whether a read failed because the block, or only its state, is not there or not there any more. Damage is
 * another error: it is never an answer to whether something exists.
 */
export const isUnavailable = (error: unknown): error is NodeError =>
  error instanceof NodeError && (error.code === 'UnknownBlock' || error.code === 'StateDiscarded');

const originCodes: ReadonlySet<ErrorCode> = new Set([
  'EndpointFailed',
  'EndpointLied',
  'EndpointUnfit',
  'NotCached',
]);

/** Whether a read on a fork failed because the live chain could not be read. It may succeed later. */
export const isOriginFault = (error: unknown): error is NodeError =>
  error instanceof NodeError && originCodes.has(error.code);

/** Why a block was refused. An expected outcome, not an exception. */
export type Refusal = { readonly ok: false; readonly code: ErrorCode; readonly message: string };

export const refuse = (code: ErrorCode, message: string): Refusal => ({ ok: false, code, message });
