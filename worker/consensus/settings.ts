import { NodeError } from '../../src/protocol/errors.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { ApiTarget } from '../executor/runtime-api.ts';
import {
  auraSlotDurationMs,
  type BabeConfiguration,
  type BabeEpoch,
  babeConfiguration,
  babeCurrentEpoch,
  babeNextEpoch,
} from '../executor/runtime-api-consensus.ts';
import type { Keystore } from '../keystore/keystore.ts';

/** Dependencies of the slot engines. */
export type EngineDeps = {
  readonly crypto: Crypto;
  readonly keystore: Pick<Keystore, 'pairs'>;
  readonly now: () => number;
  /** The earliest time of the next block (ms since 1970). */
  readonly floorMs: () => number;
  /** On a fork, whose authorities' keys nobody here has: blocks are authored for them, without a seal. */
  readonly authorsForOthers?: boolean;
  /** Slots that end by `now` are not claimed. */
  readonly followsWall?: boolean;
};

/**
 * The slot and epoch settings of a runtime, checked for plausible values. Each function throws `Unsupported`
 * for others, and rethrows errors of the call.
 */

const need = (holds: boolean, what: string): void => {
  if (!holds) throw new NodeError('Unsupported', `No chain can have ${what}, as this runtime says`);
};

const needChance = ([numerator, denominator]: BabeEpoch['c']): void =>
  need(
    denominator > 0n && numerator <= denominator,
    `a chance of ${numerator} in ${denominator} for a slot of BABE`,
  );

const checkedEpoch = (epoch: BabeEpoch): BabeEpoch => {
  need(epoch.duration > 0n, 'epochs of 0 slots');
  needChance(epoch.c);
  return epoch;
};

export const readConfiguration = (target: ApiTarget): BabeConfiguration => {
  const configuration = babeConfiguration(target);
  need(configuration.slotDurationMs > 0n, 'slots of 0 ms');
  need(configuration.epochLength > 0n, 'epochs of 0 slots');
  needChance(configuration.c);
  return configuration;
};

export const readCurrentEpoch = (target: ApiTarget): BabeEpoch => checkedEpoch(babeCurrentEpoch(target));
export const readNextEpoch = (target: ApiTarget): BabeEpoch => checkedEpoch(babeNextEpoch(target));

export const readAuraSlotMs = (target: ApiTarget): bigint => {
  const slotMs = auraSlotDurationMs(target);
  need(slotMs > 0n, 'slots of 0 ms');
  return slotMs;
};
