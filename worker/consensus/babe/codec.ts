import { NodeError } from '../../../src/protocol/errors.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { findDigest } from '../../codec/digest.ts';
import type { Header } from '../../codec/header.ts';

export type BabeAuthority = { readonly publicKey: Uint8Array; readonly weight: bigint };

/** Secondary slots: 0 primary only, 1 plain, 2 with a VRF (sp-consensus-babe `AllowedSlots`). */
export type AllowedSlots = 0 | 1 | 2;

export type BabeEpoch = {
  readonly index: bigint;
  readonly startSlot: bigint;
  /** In slots. */
  readonly duration: bigint;
  readonly authorities: readonly BabeAuthority[];
  readonly randomness: Uint8Array;
  /** The primary-slot probability as a fraction. */
  readonly c: readonly [bigint, bigint];
  readonly allowed: AllowedSlots;
};

export type BabeConfiguration = Pick<BabeEpoch, 'authorities' | 'randomness' | 'c' | 'allowed'> & {
  readonly slotMs: bigint;
  readonly epochLength: bigint;
};

const readAllowed = (reader: Reader): AllowedSlots => {
  const value = reader.u8();
  if (value > 2) throw new NodeError('BadScale', `${value} is not an AllowedSlots`);
  return value as AllowedSlots;
};

const readAuthorities = (reader: Reader): BabeAuthority[] =>
  reader.vec((item) => ({ publicKey: item.take(32).slice(), weight: item.u64() }));

/** `BabeApi_configuration` (HOST §4.1); version 1 ends with a bool, which reads as 0 or 1. */
export const decodeConfiguration = (bytes: Uint8Array): BabeConfiguration => {
  const reader = new Reader(bytes);
  return {
    slotMs: reader.u64(),
    epochLength: reader.u64(),
    c: [reader.u64(), reader.u64()],
    authorities: readAuthorities(reader),
    randomness: reader.take(32).slice(),
    allowed: readAllowed(reader),
  };
};

/** `BabeApi_current_epoch` and `BabeApi_next_epoch`. */
export const decodeEpoch = (bytes: Uint8Array): BabeEpoch => {
  const reader = new Reader(bytes);
  return {
    index: reader.u64(),
    startSlot: reader.u64(),
    duration: reader.u64(),
    authorities: readAuthorities(reader),
    randomness: reader.take(32).slice(),
    c: [reader.u64(), reader.u64()],
    allowed: readAllowed(reader),
  };
};

export type PreDigest = {
  readonly kind: 'primary' | 'secondaryPlain' | 'secondaryVrf';
  readonly authority: number;
  readonly slot: bigint;
  readonly vrf: { readonly preOutput: Uint8Array; readonly proof: Uint8Array } | null;
};

const kinds = { 1: 'primary', 2: 'secondaryPlain', 3: 'secondaryVrf' } as const;
const tags = { primary: 1, secondaryPlain: 2, secondaryVrf: 3 } as const;

export const encodePreDigest = (digest: PreDigest): Uint8Array => {
  const writer = new Writer(128).u8(tags[digest.kind]).u32(digest.authority).u64(digest.slot);
  if (digest.vrf !== null) writer.raw(digest.vrf.preOutput).raw(digest.vrf.proof);
  return writer.finish();
};

export const decodePreDigest = (bytes: Uint8Array): PreDigest => {
  const reader = new Reader(bytes);
  const tag = reader.u8();
  if (tag !== 1 && tag !== 2 && tag !== 3) throw new NodeError('BadScale', `${tag} is not a BABE pre-digest`);
  const kind = kinds[tag];
  const authority = reader.u32();
  const slot = reader.u64();
  const vrf =
    kind === 'secondaryPlain' ? null : { preOutput: reader.take(32).slice(), proof: reader.take(64).slice() };
  return { kind, authority, slot, vrf };
};

export const headerPreDigest = (header: Header): PreDigest | null => {
  const bytes = findDigest(header.digest, 'preRuntime', 'BABE');
  return bytes === null ? null : decodePreDigest(bytes);
};
