import { peerIdEncode } from '../crypto/peer-id.ts';

/** The node's identity in a network, whether or not it takes part in one. */
export type LocalPeer = {
  /** In base58. It stays the same for the lifetime of the chain's storage. */
  peerId(): string;
  /** The addresses on which others reach it, each with its id at the end. */
  addresses(): readonly string[];
  /** Says which these are, without the id. */
  listen(addresses: readonly string[]): void;
};

export type LocalPeerDeps = {
  /** The node's ed25519 public key, created and stored on the first call. */
  readonly publicKey: () => Uint8Array;
};

export const createLocalPeer = ({ publicKey }: LocalPeerDeps): LocalPeer => {
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
  };
};
