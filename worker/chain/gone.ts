import { NodeError } from '../../src/protocol/errors.ts';

/**
 * Whether a read failed because the block, or only its state, is not there or not there any more. Damage is
 * another error: it is never an answer to whether something exists.
 */
export const isGone = (error: unknown): error is NodeError =>
  error instanceof NodeError && (error.code === 'UnknownBlock' || error.code === 'StateDiscarded');
