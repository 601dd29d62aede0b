import { NodeError } from '../../../src/protocol/errors.ts';
import { Reader } from '../../bytes/reader.ts';
import { Writer } from '../../bytes/writer.ts';
import { decodeDigestItem, findDigest } from '../../codec/digest.ts';
import type { Header } from '../../codec/header.ts';
import { type BabeEpoch, readAuthority, readEpochConfig } from '../../executor/runtime-api-consensus.ts';

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

export type NextEpoch = Pick<BabeEpoch, 'authorities' | 'randomness'> & {
  /** Null if the settings do not change. */
  readonly config: Pick<BabeEpoch, 'c' | 'allowedSlots'> | null;
};

const nextEpochTag = 1;
const nextConfigTag = 3;

type Announcements = {
  readonly epochs: Omit<NextEpoch, 'config'>[];
  readonly configs: NonNullable<NextEpoch['config']>[];
};

/** The data must consist of tag, version, `c`, and one of the three kinds of slots. */
const isConfig = (data: Uint8Array): boolean => data[1] === 1 && (data[18] ?? 3) <= 2;

const readAnnouncement = (data: Uint8Array, { epochs, configs }: Announcements): void => {
  const reader = new Reader(data);
  const tag = reader.u8();
  if (tag === nextEpochTag)
    epochs.push({ authorities: reader.vec(readAuthority), randomness: reader.take(32).slice() });
  else if (tag === nextConfigTag && isConfig(data))
    configs.push(readEpochConfig(new Reader(data.subarray(2))));
};

/**
 * All epoch announcements in a header (sp-consensus-babe `ConsensusLog`). As in the SDK's
 * `find_next_epoch_digest`, an item that does not decode is ignored, as are trailing bytes after one that
 * does.
 */
export const readAnnouncements = ({ digest }: Header): Announcements => {
  const found: Announcements = { epochs: [], configs: [] };
  for (const bytes of digest) {
    const item = decodeDigestItem(bytes);
    if (item.kind !== 'consensus' || item.engine !== 'BABE') continue;
    try {
      readAnnouncement(item.data, found);
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
    }
  }
  return found;
};

/** What the first block of an epoch announces about the next one. Null for any other block. */
export const headerNextEpoch = (header: Header): NextEpoch | null => {
  const { epochs, configs } = readAnnouncements(header);
  const next = epochs.at(-1);
  return next === undefined ? null : { ...next, config: configs.at(-1) ?? null };
};
