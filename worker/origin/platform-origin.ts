import type { ForkSource, ProviderSource } from '../../src/protocol/fork-source.ts';
import type { Origin } from '../chain/origin.ts';
import { createOrigin, type OriginDeps, type PortEndpoint } from './origin.ts';

/** What the environment provides; the rest of a connection are the engine's own `fetch` and `WebSocket`. */
export type OriginPlatform = Pick<OriginDeps, 'blake2b256' | 'now' | 'schedule' | 'onError'>;

/** Each connection is a port of its own. */
const toPortEndpoint = ({ name, port }: ProviderSource): PortEndpoint => ({
  name,
  openPort: async () => {
    const { port1, port2 } = new MessageChannel();
    port.postMessage(port2, [port2]);
    return port1;
  },
});

/**
 * A live chain over the network. `genesisHash`: the one it must have, if that is known; `title`: the name of that chain. Throws
 * `BadConfig`.
 */
export const createPlatformOrigin = (
  { blake2b256, now, schedule, onError }: OriginPlatform,
  endpoints: ForkSource['endpoints'],
  genesisHash: Uint8Array | null = null,
  title: string | null = null,
): Origin => {
  const { fetch, WebSocket } = globalThis;
  return createOrigin(
    { blake2b256, now, schedule, onError, fetch, WebSocket },
    {
      endpoints: endpoints.map((one) => (typeof one === 'string' ? one : toPortEndpoint(one))),
      ...(genesisHash === null ? {} : { genesisHash }),
      ...(title === null ? {} : { title }),
    },
  );
};
