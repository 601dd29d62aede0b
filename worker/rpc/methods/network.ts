import { NodeError } from '../../../src/protocol/errors.ts';
import type { network as table } from '../../../src/protocol/rpc/network.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

/** Reports malformed peer arguments as error 2002 with the parser's message. */
const readPeer = (work: () => void): null => {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof NodeError) || error.code === 'QueueFull') throw error;
    throw new RpcError(2002, error.message);
  }
};

export const networkMethods: Handlers<typeof table, Pick<RpcParts, 'localPeer'>> = {
  system_localPeerId: ({ localPeer }) => localPeer.peerId(),
  system_localListenAddresses: () => [],
  system_networkState: ({ localPeer }) => ({
    peerId: localPeer.peerId(),
    listenedAddresses: [],
    externalAddresses: [],
    connectedPeers: {},
    notConnectedPeers: {},
    peerset: null,
  }),
  system_reservedPeers: ({ localPeer }) => [...localPeer.reserved()],
  system_addReservedPeer: ({ localPeer }, { peer }) => readPeer(() => localPeer.reserve(peer)),
  system_removeReservedPeer: ({ localPeer }, { peer_id }) => readPeer(() => localPeer.release(peer_id)),
};
