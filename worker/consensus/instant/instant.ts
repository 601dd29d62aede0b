import type { SlotEngine } from '../../author/engine.ts';
import { concatBytes, textToBytes } from '../../bytes/bytes.ts';
import { Reader } from '../../bytes/reader.ts';
import type { EngineDeps } from '../engine-deps.ts';

/** Longer than any usual minimum period of pallet-timestamp, so that blocks sealed in a burst keep their distance. */
const stepMs = 6000n;

/** For runtimes without a consensus API: no slots, no seals; chain time never goes back (HOST §3.2). */
export const createInstant = (deps: Pick<EngineDeps, 'crypto' | 'now' | 'floorMs'>): SlotEngine => {
  const item = (name: string): Uint8Array => deps.crypto.twox128(textToBytes(name));
  const nowKey = concatBytes(item('Timestamp'), item('Now'));
  return {
    name: 'none',
    slotMs: () => null,
    claim: ({ backend }) => {
      const stored = backend.get(nowKey);
      const earliest = stored === null ? 0n : new Reader(stored).u64() + stepMs;
      const now = BigInt(Math.ceil(Math.max(deps.now(), deps.floorMs())));
      return { digest: [], timestampMs: now > earliest ? now : earliest, inherents: [], seal: () => null };
    },
  };
};
