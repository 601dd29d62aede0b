import { toHex } from '../../../src/scale/hex.ts';
import { shortHex } from './format.ts';

/** Like `shortHex`, for bytes; only the ends are converted. */
export const shortBytes = (bytes: Uint8Array, head = 6, tail = 4): string =>
  bytes.length <= 64
    ? shortHex(toHex(bytes), head, tail)
    : `${toHex(bytes.subarray(0, 16)).slice(0, head)}…${toHex(bytes.subarray(-16)).slice(-tail)}`;

/**
 * Bytes as text; empty if they are too many, not UTF-8, or if some of it would not be seen: control characters, and
 * those that set the direction of the text.
 */
export const readText = (bytes: Uint8Array, longest = 200): string => {
  if (bytes.length > longest) return '';
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return /[^\P{C}\n]|[\u2028\u2029\ufffd]/u.test(text) ? '' : text;
};
