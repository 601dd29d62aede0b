import { base58 } from '@scure/base';

const identityCode = 0;
const sha256Code = 0x12;
const longestInlineKey = 42;
const longestDigest = 64;
const longestPeerId = 128;

/** Whether a text is a base58 peer id: a multihash of a key, inline or by SHA-256 (libp2p specs, "peer-ids"). */
export const isPeerId = (text: string): boolean => {
  if (text.length > longestPeerId || !/^[1-9A-HJ-NP-Za-km-z]*$/.test(text)) return false;
  const bytes = base58.decode(text);
  const [code = 0, length = -1] = bytes;
  const isWhole = bytes.length === 2 + length && length <= longestDigest;
  return isWhole && (code === sha256Code || (code === identityCode && length <= longestInlineKey));
};
