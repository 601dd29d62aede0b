import { compareBytes } from '../../bytes/bytes.ts';
import { sha256 } from '../../crypto/network-ciphers.ts';
import { decodeFields, encodeFields } from '../transport/protobuf.ts';

// Messages of `kad`, of which only searches for nodes are served (libp2p specs, "kad-dht").

/** A node that others can dial. */
export type DialablePeer = {
  /** Its peer id as bytes. */
  readonly id: Uint8Array;
  /** Multiaddrs as bytes, without the peer id. */
  readonly addresses: readonly Uint8Array[];
};

/** Of a request and of a response (sc-network `discovery.rs` leaves the limit of litep2p, 70 KiB). */
export const maxKademliaBytes = 70 * 1024;
/** As many as native nodes give, `K_VALUE`. */
const maxPeers = 20;
const maxAddresses = 8;
const maxAddressBytes = 256;

const types = { getValue: 1, getProviders: 3, findNode: 4, ping: 5 } as const;
const fields = { type: 1, key: 2, closerPeers: 8 } as const;
/** `ConnectionType::Connected`. */
const connected = 1;

const encodePeer = ({ id, addresses }: DialablePeer): Uint8Array =>
  encodeFields(
    [1, id],
    ...addresses
      .filter(({ length }) => length <= maxAddressBytes)
      .slice(0, maxAddresses)
      .map((address) => [2, address] as const),
    [3, connected],
  );

const readRequest = (bytes: Uint8Array): { readonly type: number; readonly key: Uint8Array } | null => {
  try {
    const request = decodeFields(bytes);
    return { type: request.number(fields.type), key: request.bytes(fields.key) };
  } catch {
    return null;
  }
};

/** The peers by the distance of their ids to the key: the XOR of the hashes, as a number. */
const byDistance = (key: Uint8Array, peers: readonly DialablePeer[]): DialablePeer[] => {
  const target = sha256(key);
  return peers
    .map((peer) => ({ peer, distance: sha256(peer.id).map((byte, at) => byte ^ (target[at] ?? 0)) }))
    .sort((a, b) => compareBytes(a.distance, b.distance))
    .map(({ peer }) => peer);
};

/**
 * The response to a request; null if it gets none, because nothing is stored here. Whoever searches for a value or a
 * node is told the peers that are closest to the key.
 */
export const respondKademlia = (
  request: Uint8Array,
  peers: () => readonly DialablePeer[],
): Uint8Array | null => {
  const read = readRequest(request);
  if (read === null) return null;
  const { type, key } = read;
  if (type === types.ping) return encodeFields([fields.type, type]);
  if (type !== types.getValue && type !== types.getProviders && type !== types.findNode) return null;
  const closer = byDistance(key, peers()).slice(0, maxPeers).map(encodePeer);
  return encodeFields([fields.type, type], ...closer.map((peer) => [fields.closerPeers, peer] as const));
};
