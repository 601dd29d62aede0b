import { peerOfAddress } from '../../src/protocol/addresses/multiaddr.ts';
import { isPeerId } from '../../src/protocol/addresses/peer-id.ts';
import { NodeError } from '../../src/protocol/errors.ts';

const maxReserved = 1024;

/** Adds the peer of a multiaddr. Throws `BadConfig`, `QueueFull`. */
export const reserve = (reserved: Set<string>, address: string): void => {
  const peer = peerOfAddress(address);
  if (reserved.size >= maxReserved) throw new NodeError('QueueFull', 'There are too many reserved peers');
  reserved.add(peer);
};

/** Removes a peer. Throws `BadKey` for what is no peer id. */
export const release = (reserved: Set<string>, peerId: string): void => {
  if (!isPeerId(peerId)) throw new NodeError('BadKey', 'Not a peer id in base58, such as 12D3…');
  reserved.delete(peerId);
};
