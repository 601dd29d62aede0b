import { type ErrorCode, NodeError } from '../../src/protocol/errors.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { type Refusal, refuse } from '../chain/refusal.ts';
import type { Block } from '../codec/block.ts';
import { splitSeals } from '../codec/header.ts';
import { encodeInherentData, encodeU64, type Inherent } from '../codec/inherent-data.ts';
import { type ApiTarget, checkInherents } from '../executor/runtime-api.ts';
import { at, timeText } from './engine-digest.ts';

const timestampId = 'timstap0';
/** sp-timestamp `InherentError::TooFarInFuture`. */
const tooFarTag = 1;

/** Errors a runtime may raise about a block. */
const faults: readonly ErrorCode[] = ['RuntimeTrap', 'OutOfFuel', 'MissingApi', 'BadScale'];

/** The minimum API version, as in the SDK's import queues. */
const leastVersion = 2;

/**
 * `BlockBuilder_check_inherents` on the parent's state with this node's time and the claim's slot. As in the
 * SDK, any error refuses the block, fatal or not and for any inherent: `FutureBlock` for a timestamp too far
 * ahead, otherwise `BadInherents`. May throw MissingNodes.
 */
export const judgeInherents = (
  target: ApiTarget,
  block: Block,
  nowMs: number,
  ofSlot: readonly Inherent[],
): Refusal | null => {
  const { header, extrinsics } = block;
  if ((target.runtime.apiVersion('BlockBuilder') ?? 0) < leastVersion) return null;
  const data = encodeInherentData([[timestampId, encodeU64(BigInt(Math.floor(nowMs)))], ...ofSlot]);
  try {
    const unsealed = { header: splitSeals(header).unsealed, extrinsics };
    const { okay, fatal, errors } = checkInherents(target, unsealed, data);
    if (okay) return null;
    const [id, error] = errors[0] ?? ['an unnamed inherent', new Uint8Array()];
    if (id === timestampId && error.length === 1 && error[0] === tooFarTag)
      return refuse('FutureBlock', at(header, `has a timestamp too far ahead of ${timeText(nowMs)}`));
    const named = `${fatal ? 'a fatal error' : 'an error'} of ${id}, ${bytesToHex(error)}`;
    return refuse('BadInherents', at(header, `has inherents that its runtime refuses with ${named}`));
  } catch (error) {
    // Any other error, such as a damaged database, is not a verdict on the block.
    if (!(error instanceof NodeError) || !faults.includes(error.code)) throw error;
    return refuse('BadInherents', at(header, `has inherents that cannot be checked: ${error.message}`));
  }
};
