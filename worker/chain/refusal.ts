import type { ErrorCode } from '../../src/protocol/errors.ts';

/** Why a block was refused. An expected outcome, not an exception. */
export type Refusal = { readonly ok: false; readonly code: ErrorCode; readonly message: string };

export const refuse = (code: ErrorCode, message: string): Refusal => ({ ok: false, code, message });
