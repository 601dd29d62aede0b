import { peerIdEncode } from '../crypto/peer-id.ts';

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
  /** Accepts ids that are not reserved. Rejects with `BadKey`. */
  release(peerId: string): Promise<void>;
};

export type LocalPeerDeps = {
  /** The node's ed25519 public key, created and stored on the first call. */
  readonly publicKey: () => Uint8Array;
};

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
    // Loaded when they are needed, which is seldom.
    reserve: async (address) => (await import('./reserved.ts')).reserve(reserved, address),
    release: async (id) => (await import('./reserved.ts')).release(reserved, id),
  };
};
