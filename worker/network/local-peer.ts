import { NodeError } from '../../src/protocol/errors.ts';
import { peerIdCheck, peerIdEncode } from '../crypto/peer-id.ts';
import { peerOfAddress } from './multiaddr.ts';

/**
 * What the node is in a network, whether or not it takes part in one: its id, and the peers it was told to
 * keep.
 */
export type LocalPeer = {
  /** Base58; the same for the life of the chain's storage. */
  peerId(): string;
  reserved(): readonly string[];
  /** Takes a multiaddr that ends in a peer id. Throws `BadConfig` with the SDK's words, `QueueFull`. */
  reserve(address: string): void;
  /** An id that is not reserved is accepted. Throws `BadKey` with the SDK's words. */
  release(peerId: string): void;
};

export type LocalPeerDeps = {
  /** The ed25519 public key of the node; made and kept when first asked for. */
  readonly publicKey: () => Uint8Array;
};

const maxReserved = 1024;

/** Reserved peers live as long as the node runs, as the SDK's do. */
export const createLocalPeer = ({ publicKey }: LocalPeerDeps): LocalPeer => {
  const reserved = new Set<string>();
  let id: string | null = null;
  return {
    peerId: () => {
      id ??= peerIdEncode(publicKey());
      return id;
    },
    reserved: () => [...reserved],
    reserve: (address) => {
      const peer = peerOfAddress(address);
      if (reserved.size >= maxReserved) throw new NodeError('QueueFull', 'There are too many reserved peers');
      reserved.add(peer);
    },
    release: (peerId) => {
      peerIdCheck(peerId);
      reserved.delete(peerId);
    },
  };
};
