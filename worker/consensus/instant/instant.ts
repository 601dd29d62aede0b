import type { ClaimInput, SlotEngine } from '../../author/engine.ts';
import { Reader } from '../../bytes/reader.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { itemPrefix } from '../../crypto/storage-keys.ts';
import type { EngineDeps } from '../settings.ts';

/**
 * Longer than any usual minimum period of pallet-timestamp, so that blocks sealed in quick succession are far
 * enough apart.
 */
export const stepMs = 6000n;

/**
 * Time of the last block from pallet-timestamp, ms since 1970. Null if the state has none. May throw
 * MissingNodes.
 */
export const readChainTime = (
  crypto: Pick<Crypto, 'twox128'>,
  backend: Pick<ClaimInput['backend'], 'get'>,
): bigint | null => {
  const stored = backend.get(itemPrefix(crypto, 'Timestamp', 'Now'));
  return stored === null ? null : new Reader(stored).u64();
};

/** For runtimes without a consensus API: no slots, no seals. Chain time never decreases. */
export const createInstant = (deps: Pick<EngineDeps, 'crypto' | 'now' | 'floorMs'>): SlotEngine => {
  return {
    name: 'none',
    slotMs: () => null,
    claim: async ({ backend }, { run }) => {
      const stored = await run(() => readChainTime(deps.crypto, backend));
      const earliest = stored === null ? 0n : stored + stepMs;
      const now = BigInt(Math.ceil(Math.max(deps.now(), deps.floorMs())));
      return { digest: [], timestampMs: now > earliest ? now : earliest, inherents: [], seal: () => null };
    },
  };
};
