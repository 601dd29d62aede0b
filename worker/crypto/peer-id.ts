import { base58 } from '@scure/base';
import { NodeError } from '../../src/protocol/errors.ts';
import { concatBytes } from '../bytes/bytes.ts';

/** Multihash "identity" of 36 bytes, then the protobuf of an ed25519 key: type 1, 32 bytes (libp2p specs, "peer-ids"). */
const ed25519Head: Uint8Array = /* @__PURE__ */ Uint8Array.of(0x00, 36, 0x08, 0x01, 0x12, 0x20);
const identityCode = 0;
const sha256Code = 0x12;
const longestInlineKey = 42;
const longestPeerId = 128;

/** The id of a peer by its ed25519 public key of 32 bytes. */
export const peerIdBytes = (publicKey: Uint8Array): Uint8Array => concatBytes(ed25519Head, publicKey);
/** The same in base58. */
export const peerIdEncode = (publicKey: Uint8Array): string => base58.encode(peerIdBytes(publicKey));

const decodeText = (text: string): Uint8Array => {
  try {
    if (text.length > longestPeerId) throw new RangeError('too long');
    return base58.decode(text);
  } catch (cause) {
    throw new NodeError('BadKey', 'base-58 decode error: the id is not base 58', { cause });
  }
};

/** Checks a base58 peer id: a multihash of a key, inline or by SHA-256. Throws `BadKey` with the SDK's words. */
export const peerIdCheck = (text: string): void => {
  const bytes = decodeText(text);
  const [code, length] = bytes;
  if (code === undefined || length === undefined || bytes.length !== 2 + length)
    throw new NodeError('BadKey', 'invalid multihash');
  const isKey = code === sha256Code || (code === identityCode && length <= longestInlineKey);
  if (!isKey) throw new NodeError('BadKey', `unsupported multihash code '${code}'`);
};
