import { type Claim, laterSlot, type SlotEngine } from '../../author/engine.ts';
import { equalBytes } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import { type Refusal, refuse } from '../../chain/refusal.ts';
import { encodeEngineItem, findDigest } from '../../codec/digest.ts';
import type { Header } from '../../codec/header.ts';
import { encodeU64 } from '../../codec/inherent-data.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { targetOf } from '../../executor/runtime-api.ts';
import { auraAuthorities } from '../../executor/runtime-api-consensus.ts';
import { at, checkSeal } from '../engine-digest.ts';
import { type EngineDeps, readAuraSlotMs } from '../settings.ts';

export const auraSlot = (header: Header): bigint | null => {
  const bytes = findDigest(header.digest, 'preRuntime', 'aura');
  return bytes === null ? null : new Reader(bytes).u64();
};

/** `secret` null: a block for an authority whose key is not here. */
const toClaim = (deps: EngineDeps, slot: bigint, slotMs: bigint, secret: Uint8Array | null): Claim => ({
  digest: [encodeEngineItem('preRuntime', 'aura', encodeU64(slot))],
  timestampMs: slot * slotMs,
  inherents: [['auraslot', encodeU64(slot)]],
  seal: (hash) =>
    secret === null ? null : encodeEngineItem('seal', 'aura', deps.crypto.sr25519Sign(secret, hash)),
});

/** Aura authoring: authority slot mod n, sr25519 keys (sc-consensus-aura, `slot_author`). */
export const createAura = (deps: EngineDeps): SlotEngine => ({
  name: 'aura',
  slotMs: (state) => Number(readAuraSlotMs(targetOf(state))),
  claim: async (input, { run }) => {
    const slotMs = await run(() => readAuraSlotMs(targetOf(input)));
    const authorities = await run(() => auraAuthorities(targetOf(input)));
    const wallSlot = BigInt(deps.now()) / slotMs;
    const parent = auraSlot(input.parentHeader);
    const afterParent = parent === null ? wallSlot : parent + 1n;
    const first = deps.followsWall && wallSlot > afterParent ? wallSlot : afterParent;
    const from = input.slot === 'wall' ? wallSlot : laterSlot(first, deps.floorMs(), slotMs);
    if (from < first || authorities.length === 0) return null;
    const last = input.slot === 'wall' ? from : from + BigInt(authorities.length);
    const pairs = deps.keystore.pairs('aura');
    for (let slot = from; slot <= last; slot++) {
      const author = authorities[Number(slot % BigInt(authorities.length))];
      const pair = pairs.find((candidate) => author !== undefined && equalBytes(candidate.publicKey, author));
      if (pair !== undefined) return toClaim(deps, slot, slotMs, pair.secret);
    }
    return deps.authorsForOthers === true ? toClaim(deps, from, slotMs, null) : null;
  },
});

/** Verifies that the slot's authority sealed the header (sc-consensus-aura `check_header_slot_and_seal`). */
export const checkSlotAuthor = (
  crypto: Crypto,
  header: Header,
  {
    slot,
    seal,
    authorities,
  }: {
    readonly slot: bigint;
    readonly seal: Uint8Array;
    readonly authorities: readonly Uint8Array[];
  },
): { readonly ok: true; readonly author: Uint8Array } | Refusal => {
  const author =
    authorities.length === 0 ? undefined : authorities[Number(slot % BigInt(authorities.length))];
  if (author === undefined) return refuse('WrongAuthor', at(header, `has slot ${slot}, which has no author`));
  // The runtime's API does not say which scheme its keys use. A key of one is never valid in the other.
  return checkSeal(crypto, header, seal, author, ['sr25519Verify', 'ed25519Verify']) ?? { ok: true, author };
};
