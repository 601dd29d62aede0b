import { peerOfAddress } from '../../src/protocol/addresses/multiaddr.ts';
import { isPeerId } from '../../src/protocol/addresses/peer-id.ts';
import { NodeError } from '../../src/protocol/errors.ts';

const maxReserved = 1024;

/** Throws `BadKey` for what is no peer id. */
export const checkPeerId = (text: string): void => {
  if (!isPeerId(text)) throw new NodeError('BadKey', 'Not a peer id in base58, such as 12D3…');
};

/** Peers that are always connected while the node takes part in a network: kept until it stops, as in the SDK. */
export type Reserved = {
  /** Takes a multiaddr that ends in a peer id. Throws `BadConfig`, `QueueFull`. */
  add(address: string): void;
  /** Accepts ids that are not reserved. Throws `BadKey`. */
  release(peerId: string): void;
  ids(): readonly string[];
  addresses(): Iterable<string>;
};

export const createReserved = (): Reserved => {
  /** By their addresses. */
  const ids = new Map<string, string>();
  return {
    add: (address) => {
      const peer = peerOfAddress(address);
      if (ids.size >= maxReserved) throw new NodeError('QueueFull', 'There are too many reserved peers');
      ids.set(address, peer);
    },
    release: (peerId) => {
      checkPeerId(peerId);
      for (const [address, id] of ids) if (id === peerId) ids.delete(address);
    },
    ids: () => [...new Set(ids.values())],
    addresses: () => ids.keys(),
  };
};
