import { type Claim, type ClaimInput, laterSlot, type SlotEngine } from '../../author/engine.ts';
import { createBoundedMap } from '../../bytes/bounded-map.ts';
import { bytesToKey, equalBytes } from '../../bytes/bytes.ts';
import { encodeEngineItem } from '../../codec/digest.ts';
import { encodeU64 } from '../../codec/inherent-data.ts';
import { createCallMemo } from '../../executor/call-memo.ts';
import { targetOf } from '../../executor/runtime-api.ts';
import type { BabeConfiguration, BabeEpoch } from '../../executor/runtime-api-consensus.ts';
import { type EngineDeps, readConfiguration, readCurrentEpoch, readNextEpoch } from '../settings.ts';
import { encodePreDigest, headerPreDigest, type PreDigest } from './codec.ts';
import { epochFrom, firstEpoch } from './epochs.ts';
import { primaryThreshold, secondaryAuthor, slotScore, slotTranscript } from './lottery.ts';

export type BabeKey = { readonly index: number; readonly publicKey: Uint8Array; readonly secret: Uint8Array };

/** How many slots ahead to look for a key before reporting that none may author. */
const slotHorizon = 2000n;

/** The calls that every block makes on its parent's state. */
type Settings = {
  configuration(state: Pick<ClaimInput, 'backend' | 'runtime'>): BabeConfiguration;
  currentEpoch(state: Pick<ClaimInput, 'backend' | 'runtime'>): BabeEpoch;
};

/** The epoch a slot belongs to, as seen from its parent block. */
export const createEpochLookup = (
  input: Pick<ClaimInput, 'parentHeader' | 'backend' | 'runtime'>,
  configuration: BabeConfiguration,
  currentEpoch: Settings['currentEpoch'] = (state) => readCurrentEpoch(targetOf(state)),
): ((slot: bigint) => BabeEpoch) => {
  if (input.parentHeader.number === 0) return (slot) => firstEpoch(configuration, slot);
  const current = currentEpoch(input);
  let next: BabeEpoch | null = null;
  return (slot) => {
    if (slot < current.startSlot + current.duration) return current;
    next ??= readNextEpoch(targetOf(input));
    return epochFrom(next, slot);
  };
};

/** The keys in the keystore that are authorities of an epoch. */
export const ownKeys = (deps: Pick<EngineDeps, 'keystore'>, epoch: BabeEpoch): BabeKey[] => {
  const pairs = deps.keystore.pairs('babe');
  const keys: BabeKey[] = [];
  for (const [index, authority] of epoch.authorities.entries()) {
    const pair = pairs.find((candidate) => equalBytes(candidate.publicKey, authority.publicKey));
    if (pair !== undefined) keys.push({ index, publicKey: pair.publicKey, secret: pair.secret });
  }
  return keys;
};

const claimPrimary = (
  deps: Pick<EngineDeps, 'crypto'>,
  slot: bigint,
  epoch: BabeEpoch,
  key: BabeKey,
): PreDigest | null => {
  const transcript = slotTranscript(slot, epoch);
  const vrf = deps.crypto.sr25519VrfSign(key.secret, transcript);
  const score = slotScore(deps.crypto, key.publicKey, transcript, vrf.preOutput);
  if (score >= primaryThreshold(epoch.c, epoch.authorities, key.index)) return null;
  return { kind: 'primary', authority: key.index, slot, vrf };
};

const claimSecondary = (
  deps: Pick<EngineDeps, 'crypto'>,
  slot: bigint,
  epoch: BabeEpoch,
  keys: readonly BabeKey[],
): PreDigest | null => {
  if (epoch.allowedSlots === 0) return null;
  const author = secondaryAuthor(deps.crypto, slot, epoch);
  const key = keys.find((candidate) => candidate.index === author);
  if (key === undefined) return null;
  if (epoch.allowedSlots === 1) return { kind: 'secondaryPlain', authority: author, slot, vrf: null };
  return {
    kind: 'secondaryVrf',
    authority: author,
    slot,
    vrf: deps.crypto.sr25519VrfSign(key.secret, slotTranscript(slot, epoch)),
  };
};

/**
 * The claim on a slot by one of the keys, a primary claim before a secondary one (sc-consensus-babe
 * `claim_slot_using_keys`).
 */
export const claimSlot = (
  deps: Pick<EngineDeps, 'crypto'>,
  slot: bigint,
  epoch: BabeEpoch,
  keys: readonly BabeKey[],
): { digest: PreDigest; key: BabeKey } | null => {
  for (const key of keys) {
    const digest = claimPrimary(deps, slot, epoch, key);
    if (digest !== null) return { digest, key };
  }
  const digest = claimSecondary(deps, slot, epoch, keys);
  const key = keys.find((candidate) => candidate.index === digest?.authority);
  return digest === null || key === undefined ? null : { digest, key };
};

/** A slot that was won; without a key, for an authority whose key is not here. */
type Won = { readonly digest: PreDigest; readonly key: BabeKey | null };

/** A plain claim of the author that a slot falls to if nobody wins it. */
const claimForOther = (deps: Pick<EngineDeps, 'crypto'>, slot: bigint, epoch: BabeEpoch): Won => ({
  digest: { kind: 'secondaryPlain', authority: secondaryAuthor(deps.crypto, slot, epoch), slot, vrf: null },
  key: null,
});

const toClaim = (deps: EngineDeps, slotMs: bigint, { digest, key }: Won): Claim => ({
  digest: [encodeEngineItem('preRuntime', 'BABE', encodePreDigest(digest))],
  timestampMs: digest.slot * slotMs,
  inherents: [['babeslot', encodeU64(digest.slot)]],
  seal: (hash) =>
    key === null ? null : encodeEngineItem('seal', 'BABE', deps.crypto.sr25519Sign(key.secret, hash)),
});

/** How many parents' claimed slots are remembered. */
const maxClaimed = 256;

/**
 * Slots claimed, by parent. A second block on the same parent gets a later slot: two in one slot are an
 * equivocation.
 */
const createClaimed = () => createBoundedMap<string, bigint>(maxClaimed);

const later = (a: bigint, b: bigint): bigint => (a > b ? a : b);

const createClaim =
  (deps: EngineDeps, claimed: ReturnType<typeof createClaimed>, settings: Settings): SlotEngine['claim'] =>
  async (input, { run, pace }) => {
    const configuration = await run(() => settings.configuration(input));
    const wallSlot = BigInt(deps.now()) / configuration.slotDurationMs;
    const parent = headerPreDigest(input.parentHeader);
    const parentKey = bytesToKey(input.parentHash);
    const afterParent = parent === null ? wallSlot : parent.slot + 1n;
    const earliest = deps.followsWall ? later(afterParent, wallSlot) : afterParent;
    const first = later(earliest, (claimed.get(parentKey) ?? -1n) + 1n);
    const from =
      input.slot === 'wall' ? wallSlot : laterSlot(first, deps.floorMs(), configuration.slotDurationMs);
    if (from < first) return null;
    const last = input.slot === 'wall' ? from : from + slotHorizon;
    const epochOf = await run(() => createEpochLookup(input, configuration, settings.currentEpoch));
    let epoch = await run(() => epochOf(from));
    let keys = ownKeys(deps, epoch);
    for (let slot = from; slot <= last; slot++) {
      if (slot >= epoch.startSlot + epoch.duration) {
        epoch = await run(() => epochOf(slot));
        keys = ownKeys(deps, epoch);
      }
      const isForOther = keys.length === 0 && deps.authorsForOthers === true;
      const won = isForOther ? claimForOther(deps, slot, epoch) : claimSlot(deps, slot, epoch, keys);
      if (won === null) {
        await pace.pause();
        continue;
      }
      if (input.isTrial !== true) claimed.keep(parentKey, slot);
      return toClaim(deps, configuration.slotDurationMs, won);
    }
    return null;
  };

/** BABE authoring: primary VRF claims and secondary slots (sc-consensus-babe, `authorship.rs`). */
export const createBabe = (deps: EngineDeps): SlotEngine => {
  const settings: Settings = {
    configuration: createCallMemo(readConfiguration),
    currentEpoch: createCallMemo(readCurrentEpoch),
  };
  return {
    name: 'babe',
    slotMs: (state) => Number(settings.configuration(state).slotDurationMs),
    claim: createClaim(deps, createClaimed(), settings),
  };
};
