import { type OpenPeers, openPeers } from '../../bridge/network/open-network.ts';
import type { Node } from '../../worker/node.ts';

/** Lets others dial a node of this thread by WebSocket, as `tabnode serve` does. `localPeer.addresses()` says where. */
export const listenAsPeer = ({ parts: { network, localPeer } }: Node): Promise<OpenPeers> => {
  const done = { ok: true, value: null } as const;
  return openPeers(
    {
      acceptPeer: async (port) => {
        await network.accept(port);
        return done;
      },
      listensOn: async (addresses) => {
        localPeer.listen(addresses);
        return done;
      },
    },
    [{ kind: 'ws', host: '127.0.0.1', port: 0 }],
  );
};
