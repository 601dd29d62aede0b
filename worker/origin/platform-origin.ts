import type { Origin } from '../chain/origin.ts';
import { createOrigin, type OriginDeps } from './origin.ts';

/** What the environment provides; the rest of a connection are the engine's own `fetch` and `WebSocket`. */
export type OriginPlatform = Pick<OriginDeps, 'blake2b256' | 'now' | 'schedule' | 'onError'>;

/** A live chain over the network. `genesisHash`: the one it must have, if that is known. Throws `BadConfig`. */
export const createPlatformOrigin = (
  { blake2b256, now, schedule, onError }: OriginPlatform,
  endpoints: readonly string[],
  genesisHash: Uint8Array | null = null,
): Origin => {
  const { fetch, WebSocket } = globalThis;
  return createOrigin(
    { blake2b256, now, schedule, onError, fetch, WebSocket },
    { endpoints, ...(genesisHash === null ? {} : { genesisHash }) },
  );
};
