import { noBytes } from '../bytes/bytes.ts';
import type { Reader } from '../bytes/reader.ts';
import { Writer } from '../bytes/writer.ts';
import { type ApiTarget, callAndDecode } from './runtime-api.ts';

export type WeightedAuthority = { readonly publicKey: Uint8Array; readonly weight: bigint };
/** 0: only primary slots; 1: also secondary plain; 2: also secondary VRF. */
export type AllowedSlots = 0 | 1 | 2;
/** `BabeApi_configuration`. */
export type BabeConfiguration = {
  readonly slotDurationMs: bigint;
  readonly epochLength: bigint;
  readonly c: readonly [bigint, bigint];
  readonly authorities: readonly WeightedAuthority[];
  readonly randomness: Uint8Array;
  readonly allowedSlots: AllowedSlots;
};
/** `BabeApi_current_epoch` and `BabeApi_next_epoch`. */
export type BabeEpoch = {
  readonly index: bigint;
  readonly startSlot: bigint;
  readonly duration: bigint;
  readonly authorities: readonly WeightedAuthority[];
  readonly randomness: Uint8Array;
  readonly c: readonly [bigint, bigint];
  readonly allowedSlots: AllowedSlots;
};

export const readAuthority = (reader: Reader): WeightedAuthority => ({
  publicKey: reader.take(32).slice(),
  weight: reader.u64(),
});
export const writeAuthorities = (writer: Writer, authorities: readonly WeightedAuthority[]): Writer =>
  writer.vec(authorities, (out, { publicKey, weight }) => out.raw(publicKey).u64(weight));
const readAllowed = (reader: Reader): AllowedSlots => {
  const value = reader.u8();
  return value === 0 || value === 1 ? value : 2;
};
/** sp-consensus-babe `BabeEpochConfiguration`. */
export const readEpochConfig = (reader: Reader): Pick<BabeEpoch, 'c' | 'allowedSlots'> => ({
  c: [reader.u64(), reader.u64()],
  allowedSlots: readAllowed(reader),
});

export const babeConfiguration = (target: ApiTarget): BabeConfiguration =>
  callAndDecode(target, 'BabeApi_configuration', noBytes, (reader) => ({
    slotDurationMs: reader.u64(),
    epochLength: reader.u64(),
    c: [reader.u64(), reader.u64()],
    authorities: reader.vec(readAuthority),
    randomness: reader.take(32).slice(),
    allowedSlots: readAllowed(reader),
  }));

const readEpoch = (reader: Reader): BabeEpoch => ({
  index: reader.u64(),
  startSlot: reader.u64(),
  duration: reader.u64(),
  authorities: reader.vec(readAuthority),
  randomness: reader.take(32).slice(),
  ...readEpochConfig(reader),
});
export const babeCurrentEpoch = (target: ApiTarget): BabeEpoch =>
  callAndDecode(target, 'BabeApi_current_epoch', noBytes, readEpoch);
export const babeNextEpoch = (target: ApiTarget): BabeEpoch =>
  callAndDecode(target, 'BabeApi_next_epoch', noBytes, readEpoch);
export const babeCurrentEpochStart = (target: ApiTarget): bigint =>
  callAndDecode(target, 'BabeApi_current_epoch_start', noBytes, (reader) => reader.u64());
/** A proof that a key belonged to the session's keys at a slot. */
export const babeKeyOwnershipProof = (
  target: ApiTarget,
  slot: bigint,
  publicKey: Uint8Array,
): Uint8Array | null =>
  callAndDecode(
    target,
    'BabeApi_generate_key_ownership_proof',
    new Writer(40).u64(slot).raw(publicKey).finish(),
    (reader) => reader.option((item) => item.vecBytes().slice()),
  );

export const auraSlotDurationMs = (target: ApiTarget): bigint =>
  callAndDecode(target, 'AuraApi_slot_duration', noBytes, (reader) => reader.u64());
export const auraAuthorities = (target: ApiTarget): Uint8Array[] =>
  callAndDecode(target, 'AuraApi_authorities', noBytes, (reader) =>
    reader.vec((item) => item.take(32).slice()),
  );

export const grandpaAuthorities = (target: ApiTarget): WeightedAuthority[] =>
  callAndDecode(target, 'GrandpaApi_grandpa_authorities', noBytes, (reader) => reader.vec(readAuthority));
/** Available since GrandpaApi 3. */
export const grandpaCurrentSetId = (target: ApiTarget): bigint =>
  callAndDecode(target, 'GrandpaApi_current_set_id', noBytes, (reader) => reader.u64());
