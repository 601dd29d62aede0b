import { bytesToKey } from '../../../bytes/bytes.ts';
import type { Content } from './messages.ts';

/** Bytes of messages that wait for their blocks. Each counts as at least this many, so there are at most 512. */
export const maxWaitingBytes = 4 * 1024 * 1024;
const leastBytes = 8192;

type Kept = { readonly peer: string; readonly size: number; readonly message: Content };

/** Messages with valid signatures whose blocks have not arrived. A message that is repeated waits once. */
export const createUntilImported = () => {
  let kept = new Map<string, Kept>();
  let bytes = 0;
  /** Drops the oldest message of the peer that has sent the most, so that a flood only displaces itself. */
  const drop = (): void => {
    const sizes = new Map<string, number>();
    for (const { peer, size } of kept.values()) sizes.set(peer, (sizes.get(peer) ?? 0) + size);
    const most = Math.max(...sizes.values());
    for (const [key, { peer, size }] of kept) {
      if (sizes.get(peer) !== most) continue;
      kept.delete(key);
      bytes -= size;
      return;
    }
  };
  return {
    has: (message: Uint8Array): boolean => kept.has(bytesToKey(message)),
    /** `encoded`: its bytes, or the key under which it was kept. */
    keep: (peer: string, encoded: Uint8Array | string, message: Content): void => {
      const size = Math.max(leastBytes, encoded.length);
      kept.set(typeof encoded === 'string' ? encoded : bytesToKey(encoded), { peer, size, message });
      bytes += size;
      while (bytes > maxWaitingBytes) drop();
    },
    /** Empties it. */
    takeAll: (): ReadonlyMap<string, Kept> => {
      const all = kept;
      kept = new Map();
      bytes = 0;
      return all;
    },
    size: () => kept.size,
  };
};
