import { base58 } from '@scure/base';
import { concatBytes } from '../bytes/bytes.ts';

/**
 * Multihash "identity" of 36 bytes, then the protobuf of an ed25519 key: type 1, 32 bytes (libp2p specs,
 * "peer-ids").
 */
const ed25519Head: Uint8Array = /* @__PURE__ */ Uint8Array.of(0x00, 36, 0x08, 0x01, 0x12, 0x20);

/** The id of a peer by its ed25519 public key of 32 bytes. */
export const peerIdBytes = (publicKey: Uint8Array): Uint8Array => concatBytes(ed25519Head, publicKey);
/** The same in base58. */
export const peerIdEncode = (publicKey: Uint8Array): string => base58.encode(peerIdBytes(publicKey));
