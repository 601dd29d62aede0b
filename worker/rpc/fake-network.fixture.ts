import { createLocalPeer } from '../network/local-peer.ts';
import type { RpcParts } from './parts.ts';

/** A node without peers. */
export const fakeNetwork: Pick<RpcParts, 'localPeer' | 'network' | 'joinNetwork' | 'leaveNetwork'> = {
  localPeer: createLocalPeer({ publicKey: () => new Uint8Array(32).fill(3) }),
  network: {
    peers: () => [],
    isJoined: () => false,
    opened: () => null,
    open: () => Promise.reject(new Error('there is none')),
  },
  joinNetwork: async () => undefined,
  leaveNetwork: () => undefined,
};
