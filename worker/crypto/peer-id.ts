import { base58 } from '@scure/base';
import { NodeError } from '../../src/protocol/errors.ts';
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

const noBase58 = /[^1-9A-HJ-NP-Za-km-z]/;
const quoted = (sign: string): string => {
  if (sign === "'" || sign === '\\') return `'\\${sign}'`;
  const escaped = JSON.stringify(sign).slice(1, -1);
  return `'${sign === '"' ? sign : escaped.replace(/^\\u0*(.+)$/, '\\u{$1}')}'`;
};

const decodeText = (text: string): Uint8Array => {
  const at = text.search(noBase58);
  if (at < 0) return text.length > longestPeerId ? new Uint8Array() : base58.decode(text);
  const sign = text.charAt(at);
  const why =
    sign > '\x7f'
      ? `non-ascii character starting at byte ${at}`
      : `invalid character ${quoted(sign)} at byte ${at}`;
  const details = { fault: 'base58' };
  throw new NodeError('BadKey', `base-58 decode error: provided string contained ${why}`, { details });
};

/**
 * Validates a base58 peer id: a multihash of a key, inline or by SHA-256. Throws `BadKey` with the SDK's
 * message; `fault` in its details is `base58`, `multihash`, or the code of a multihash that does not hold a
 * key.
 */
export const peerIdCheck = (text: string): void => {
  const bytes = decodeText(text);
  const [code = 0, length = -1] = bytes;
  const isWhole = bytes.length === 2 + length && length <= longestDigest;
  if (isWhole && (code === sha256Code || (code === identityCode && length <= longestInlineKey))) return;
  throw new NodeError('BadKey', 'invalid multihash', { details: { fault: isWhole ? code : 'multihash' } });
};
