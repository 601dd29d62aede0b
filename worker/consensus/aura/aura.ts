import { type Claim, type ClaimInput, laterSlot, type SlotEngine } from '../../author/engine.ts';
import { equalBytes } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import { encodeEngineItem, findDigest } from '../../codec/digest.ts';
import type { Header } from '../../codec/header.ts';
import { encodeU64 } from '../../codec/inherent-data.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { ApiTarget } from '../../executor/runtime-api.ts';
import { auraAuthorities, auraSlotDurationMs } from '../../executor/runtime-api-consensus.ts';
import type { Keystore } from '../../keystore/keystore.ts';
import { createOverlay } from '../../state/overlay.ts';

type Deps = {
  readonly crypto: Crypto;
  readonly keystore: Pick<Keystore, 'pairs'>;
  readonly now: () => number;
  /** The next block is not before this moment (ms since 1970). */
  readonly floorMs: () => number;
  /** No slot is claimed that is over by `now`. */
  readonly followsWall?: boolean;
};
type State = Pick<ClaimInput, 'backend' | 'runtime'>;

const target = ({ backend, runtime }: State): ApiTarget => ({ runtime, overlay: createOverlay(backend) });

const slotOf = (header: Header): bigint | null => {
  const bytes = findDigest(header.digest, 'preRuntime', 'aura');
  return bytes === null ? null : new Reader(bytes).u64();
};

const toClaim = (deps: Deps, slot: bigint, slotMs: bigint, secret: Uint8Array): Claim => ({
  digest: [encodeEngineItem('preRuntime', 'aura', encodeU64(slot))],
  timestampMs: slot * slotMs,
  inherents: [['auraslot', encodeU64(slot)]],
  seal: (hash) => encodeEngineItem('seal', 'aura', deps.crypto.sr25519Sign(secret, hash)),
});

/** Aura authoring: authority slot mod n, sr25519 keys (HOST §4.4). */
export const createAura = (deps: Deps): SlotEngine => ({
  name: 'aura',
  slotMs: (state) => Number(auraSlotDurationMs(target(state))),
  claim: (input) => {
    const slotMs = auraSlotDurationMs(target(input));
    const authorities = auraAuthorities(target(input));
    const wallSlot = BigInt(deps.now()) / slotMs;
    const parent = slotOf(input.parentHeader);
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
    return null;
  },
});
