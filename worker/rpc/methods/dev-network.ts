import { NodeError } from '../../../src/protocol/errors.ts';
import type { NetworkChange } from '../../../src/protocol/rpc/params/dev.ts';
import type { RpcParts } from '../parts.ts';
import { peerToJson } from './system.ts';

type Deps = Pick<RpcParts, 'joinNetwork' | 'leaveNetwork' | 'localPeer' | 'network'>;

/** Throws `InNetwork`, `Unsupported`, `PeerFailed`, `BadConfig`. */
export const changeNetwork = async (deps: Deps, change: NetworkChange): Promise<void> => {
  const { network } = deps;
  if ('join' in change) return deps.joinNetwork(change.join);
  if (!network.isJoined())
    throw new NodeError('Unsupported', 'The node takes part in no network: join it first');
  if ('leave' in change) return deps.leaveNetwork();
  return 'dial' in change ? network.dial(change.dial) : network.ban(change.ban);
};

export const describeNetwork = ({ network, localPeer }: Deps) => ({
  joined: network.isJoined(),
  peerId: localPeer.peerId(),
  addresses: [...localPeer.addresses()],
  peers: network.peers().map(({ reputation, ...peer }) => ({ ...peerToJson(peer), reputation })),
  unreachable: Object.fromEntries(network.faults()),
});
