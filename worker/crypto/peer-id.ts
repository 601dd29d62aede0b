import { base58 } from '@scure/base';
import { concatBytes } from '../bytes/bytes.ts';

/**
 * Multihash "identity" of 36 bytes, then the protobuf of an ed25519 key: type 1, 32 bytes (libp2p specs,
 * "peer-ids").
 */
const ed25519Head: Uint8Array = /* @__PURE__ */ Uint8Array.of(0x00, 36, 0x08, 0x01, 0x12, 0x20);
const identityCode = 0;
const sha256Code = 0x12;
const longestInlineKey = 42;
const longestDigest = 64;
const longestPeerId = 128;

/** The id of a peer by its ed25519 public key of 32 bytes. */
export const peerIdBytes = (publicKey: Uint8Array): Uint8Array => concatBytes(ed25519Head, publicKey);
/** The same in base58. */
export const peerIdEncode = (publicKey: Uint8Array): string => base58.encode(peerIdBytes(publicKey));

/** Whether a text is a base58 peer id: a multihash of a key, inline or by SHA-256. */
export const isPeerId = (text: string): boolean => {
  if (text.length > longestPeerId || !/^[1-9A-HJ-NP-Za-km-z]*$/.test(text)) return false;
  const bytes = base58.decode(text);
  const [code = 0, length = -1] = bytes;
  const isWhole = bytes.length === 2 + length && length <= longestDigest;
  return isWhole && (code === sha256Code || (code === identityCode && length <= longestInlineKey));
};
