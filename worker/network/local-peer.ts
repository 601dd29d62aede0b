import { NodeError } from '../../src/protocol/errors.ts';
import { isPeerId, peerIdEncode } from '../crypto/peer-id.ts';

/** The node's identity in a network, whether or not it takes part in one: its id and its reserved peers. */
export type LocalPeer = {
  /** In base58. It stays the same for the lifetime of the chain's storage. */
  peerId(): string;
  reserved(): readonly string[];
  /** The addresses on which others reach it, each with its id at the end. */
  addresses(): readonly string[];
  /** Says which these are, without the id. */
  listen(addresses: readonly string[]): void;
  /** Takes a multiaddr that ends in a peer id. Rejects with `BadConfig`, `QueueFull`. */
  reserve(address: string): Promise<void>;
  /** Accepts ids that are not reserved. Throws `BadKey`. */
  release(peerId: string): void;
};

export type LocalPeerDeps = {
  /** The node's ed25519 public key, created and stored on the first call. */
  readonly publicKey: () => Uint8Array;
};

const maxReserved = 1024;

/** Reserved peers are kept until the node stops, as in the SDK. */
export const createLocalPeer = ({ publicKey }: LocalPeerDeps): LocalPeer => {
  const reserved = new Set<string>();
  let id: string | null = null;
  let listening: readonly string[] = [];
  const peerId = (): string => {
    id ??= peerIdEncode(publicKey());
    return id;
  };
  return {
    peerId,
    addresses: () => listening.map((address) => `${address}/p2p/${peerId()}`),
    listen: (addresses) => {
      listening = [...addresses];
    },
    reserved: () => [...reserved],
    reserve: async (address) => {
      const { peerOfAddress } = await import('./multiaddr.ts');
      const peer = peerOfAddress(address);
      if (reserved.size >= maxReserved) throw new NodeError('QueueFull', 'There are too many reserved peers');
      reserved.add(peer);
    },
    release: (peerId) => {
      if (!isPeerId(peerId)) throw new NodeError('BadKey', 'Not a peer id in base58, such as 12D3…');
      reserved.delete(peerId);
    },
  };
};
