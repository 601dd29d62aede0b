import { equalBytes } from '../../bytes/bytes.ts';
import { type Refusal, refuse } from '../../chain/refusal.ts';
import type { Header } from '../../codec/header.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { BabeEpoch } from '../../executor/runtime-api-consensus.ts';
import { at, checkSeal } from '../engine-digest.ts';
import {
  decodePreDigest,
  encodePreDigest,
  type NextEpoch,
  type PreDigest,
  readAnnouncements,
} from './codec.ts';
import { primaryThreshold, secondaryAuthor, slotScore, slotTranscript } from './lottery.ts';

const maxWeight = 0xffff_ffff_ffff_ffffn;

/** The pre-digest if there is exactly one; otherwise null. */
export const readPreDigest = (bytes: Uint8Array): PreDigest | null => {
  try {
    const digest = decodePreDigest(bytes);
    return equalBytes(encodePreDigest(digest), bytes) ? digest : null;
  } catch {
    return null;
  }
};

/**
 * The header's announcement of the next epoch: required once in the first block of an epoch and forbidden
 * elsewhere (`BadEpoch`). Execution checks whether it matches the runtime's decision.
 */
export const checkAnnouncement = (
  header: Header,
  isFirst: boolean,
): { readonly ok: true; readonly next: NextEpoch | null } | Refusal => {
  const bad = (what: string): Refusal => refuse('BadEpoch', at(header, what));
  const read = readAnnouncements(header);
  const [epochs, configs] = [read.epochs.length, read.configs.length];
  if (epochs !== (isFirst ? 1 : 0))
    return isFirst
      ? bad(`is the first of its epoch and announces ${epochs} next epochs, not one`)
      : bad('announces a next epoch although it is not the first of its own');
  if (configs > epochs)
    return bad(`has ${configs} changes of the epoch's settings for ${epochs} next epochs`);
  const [epoch] = read.epochs;
  const [config = null] = read.configs;
  if (epoch === undefined) return { ok: true, next: null };
  const total = epoch.authorities.reduce((sum, { weight }) => sum + weight, 0n);
  if (total === 0n || total > maxWeight)
    return bad(`announces ${epoch.authorities.length} authorities with a weight of ${total} in all`);
  if (config !== null && (config.c[1] === 0n || config.c[0] > config.c[1]))
    return bad(`announces a chance of ${config.c[0]} in ${config.c[1]} for a slot`);
  return { ok: true, next: { ...epoch, config } };
};

const checkPrimary = (
  crypto: Crypto,
  digest: PreDigest,
  epoch: BabeEpoch,
  author: Uint8Array,
): string | null => {
  if (digest.vrf === null) return null;
  const { preOutput, proof } = digest.vrf;
  const transcript = slotTranscript(digest.slot, epoch);
  if (!crypto.sr25519VrfVerify(author, transcript, preOutput, proof))
    return `does not prove its VRF output for slot ${digest.slot} of epoch ${epoch.index}`;
  if (digest.kind !== 'primary') return null;
  const score = slotScore(crypto, author, transcript, preOutput);
  return score < primaryThreshold(epoch.c, epoch.authorities, digest.authority)
    ? null
    : `claims slot ${digest.slot} with a score of ${score} that does not win it`;
};

/**
 * Whether an authority of the epoch was entitled to the slot and sealed the header (sc-consensus-babe
 * `check_header`; here the seal is checked last, so that each part has its own error code). Returns the
 * author's key, or the reason for refusal: `WrongAuthor`, `BadClaim`, `BadSeal`.
 */
export const checkClaim = (
  crypto: Crypto,
  header: Header,
  {
    digest,
    seal,
    epoch,
  }: { readonly digest: PreDigest; readonly seal: Uint8Array; readonly epoch: BabeEpoch },
): { readonly ok: true; readonly author: Uint8Array } | Refusal => {
  const author = epoch.authorities[digest.authority]?.publicKey;
  if (author === undefined)
    return refuse(
      'WrongAuthor',
      at(header, `is by authority ${digest.authority} of an epoch that has ${epoch.authorities.length}`),
    );
  if (digest.kind !== 'primary') {
    if (epoch.allowedSlots !== (digest.kind === 'secondaryPlain' ? 1 : 2))
      return refuse(
        'BadClaim',
        at(header, `has a ${digest.kind} claim, which epoch ${epoch.index} does not allow`),
      );
    const expected = secondaryAuthor(crypto, digest.slot, epoch);
    if (!equalBytes(author, epoch.authorities[expected]?.publicKey ?? author))
      return refuse(
        'WrongAuthor',
        at(header, `is by authority ${digest.authority}, slot ${digest.slot} belongs to ${expected}`),
      );
  }
  const wrong = checkPrimary(crypto, digest, epoch, author);
  if (wrong !== null) return refuse('BadClaim', at(header, wrong));
  return checkSeal(crypto, header, seal, author) ?? { ok: true, author };
};
