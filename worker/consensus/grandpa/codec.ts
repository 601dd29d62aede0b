import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { decodeDigestItem } from '../../codec/digest.ts';
import { type Header, readHeader, writeHeader } from '../../codec/header.ts';
import { readAuthority, type WeightedAuthority } from '../../executor/runtime-api-consensus.ts';

/** The engine id of GRANDPA. */
export const grandpaEngine = 'FRNK';

/** The block that a vote is for. */
type Target = { readonly hash: Uint8Array; readonly number: number };

/** finality-grandpa `SignedPrecommit`: an ed25519 signature, and the voter's public key. */
export type SignedPrecommit = Target & { readonly signature: Uint8Array; readonly voter: Uint8Array };

/**
 * sp-consensus-grandpa `GrandpaJustification`: a commit, and the headers from its votes down to the lowest of
 * them.
 */
export type GrandpaJustification = {
  readonly round: bigint;
  readonly targetHash: Uint8Array;
  readonly targetNumber: number;
  readonly precommits: readonly SignedPrecommit[];
  readonly ancestries: readonly Header[];
};

const readPrecommit = (reader: Reader): SignedPrecommit => ({
  hash: reader.take(32).slice(),
  number: reader.u32(),
  signature: reader.take(64).slice(),
  voter: reader.take(32).slice(),
});

/** Throws `BadScale`. */
export const readGrandpaJustification = (reader: Reader): GrandpaJustification => ({
  round: reader.u64(),
  targetHash: reader.take(32).slice(),
  targetNumber: reader.u32(),
  precommits: reader.vec(readPrecommit),
  ancestries: reader.vec(readHeader),
});

/** Throws `BadScale` unless the bytes are exactly one justification. */
export const decodeGrandpaJustification = (bytes: Uint8Array): GrandpaJustification => {
  const reader = new Reader(bytes);
  const justification = readGrandpaJustification(reader);
  reader.end();
  return justification;
};

export const encodeGrandpaJustification = (justification: GrandpaJustification): Uint8Array => {
  const writer = new Writer(256).u64(justification.round);
  writer.raw(justification.targetHash).u32(justification.targetNumber);
  writer.vec(justification.precommits, (out, { hash, number, signature, voter }) =>
    out.raw(hash).u32(number).raw(signature).raw(voter),
  );
  return writer.vec(justification.ancestries, writeHeader).finish();
};

/** What a voter signs for a precommit (sp-consensus-grandpa, `localized_payload`). */
export const precommitPayload = ({ hash, number }: Target, round: bigint, setId: bigint): Uint8Array =>
  new Writer(53).u8(1).raw(hash).u32(number).u64(round).u64(setId).finish();

/** sc-consensus-grandpa `FinalityProof`. */
export type FinalityProof = {
  /** The block that the justification finalizes. */
  readonly block: Uint8Array;
  readonly justification: Uint8Array;
  /** From the block after the requested one up to `block`. */
  readonly unknownHeaders: readonly Header[];
};

export const writeFinalityProof = (writer: Writer, proof: FinalityProof): Writer =>
  writer.raw(proof.block).vecBytes(proof.justification).vec(proof.unknownHeaders, writeHeader);

/** Throws `BadScale`. */
export const readFinalityProof = (reader: Reader): FinalityProof => ({
  block: reader.take(32).slice(),
  justification: reader.vecBytes().slice(),
  unknownHeaders: reader.vec(readHeader),
});

/** A change of the authority set that a header announces. */
export type AnnouncedChange = {
  readonly authorities: readonly WeightedAuthority[];
  /** Blocks between the announcement and the change. */
  readonly delay: number;
  /**
   * For a forced change: the last finalized block known to the announcing runtime. Null for a scheduled one.
   */
  readonly medianFinalized: number | null;
};

const scheduledTag = 1;
const forcedTag = 2;

/** Null if it is not a change or does not decode; the SDK ignores both. */
const readChange = (data: Uint8Array): AnnouncedChange | null => {
  if (data[0] !== scheduledTag && data[0] !== forcedTag) return null;
  try {
    const reader = new Reader(data);
    const medianFinalized = reader.u8() === forcedTag ? reader.u32() : null;
    const authorities = reader.vec(readAuthority);
    return { authorities, delay: reader.u32(), medianFinalized };
  } catch {
    return null;
  }
};

/** The changes a header announces, in its order. */
const findChanges = ({ digest }: Header): AnnouncedChange[] =>
  digest.flatMap((bytes) => {
    const item = decodeDigestItem(bytes);
    const change = item.kind === 'consensus' && item.engine === grandpaEngine ? readChange(item.data) : null;
    return change === null ? [] : [change];
  });

/** The first scheduled change a header announces, or null. */
export const findScheduledChange = (header: Header): AnnouncedChange | null =>
  findChanges(header).find(({ medianFinalized }) => medianFinalized === null) ?? null;

/**
 * The change a header announces: the first forced one, else the first scheduled one (sc-consensus-grandpa).
 */
export const findChange = (header: Header): AnnouncedChange | null => {
  const changes = findChanges(header);
  return changes.find(({ medianFinalized }) => medianFinalized !== null) ?? changes[0] ?? null;
};
