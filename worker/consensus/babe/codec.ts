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
  /** Null where the settings stay as they were. */
  readonly config: Pick<BabeEpoch, 'c' | 'allowedSlots'> | null;
};

const nextEpochTag = 1;
const nextConfigTag = 3;

type Announcements = {
  readonly epochs: Omit<NextEpoch, 'config'>[];
  readonly configs: NonNullable<NextEpoch['config']>[];
};

/** All that a header announces of epochs (sp-consensus-babe `ConsensusLog`); null where one does not decode. */
export const readAnnouncements = ({ digest }: Header): Announcements | null => {
  const epochs: Announcements['epochs'] = [];
  const configs: Announcements['configs'] = [];
  try {
    for (const bytes of digest) {
      const item = decodeDigestItem(bytes);
      if (item.kind !== 'consensus' || item.engine !== 'BABE') continue;
      const reader = new Reader(item.data);
      const tag = reader.u8();
      if (tag === nextEpochTag)
        epochs.push({ authorities: reader.vec(readAuthority), randomness: reader.take(32).slice() });
      // The settings are in an enum of one version, whose tag is 1.
      else if (tag === nextConfigTag && reader.u8() === 1) configs.push(readEpochConfig(reader));
    }
  } catch {
    return null;
  }
  return { epochs, configs };
};

/** What the first block of an epoch announces of the next one; null from any other block. */
export const headerNextEpoch = (header: Header): NextEpoch | null => {
  const read = readAnnouncements(header);
  const next = read?.epochs.at(-1);
  return next === undefined ? null : { ...next, config: read?.configs.at(-1) ?? null };
};
