import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToDigits, digitsToBytes } from '../../src/protocol/hex.ts';

export type Hex = `0x${string}`;

export const bytesToHex = (bytes: Uint8Array): Hex => `0x${bytesToDigits(bytes)}`;

export const bytesToHexOrNull = (bytes: Uint8Array | null): Hex | null =>
  bytes === null ? null : bytesToHex(bytes);

const noDigit = /[^0-9a-fA-F]/;

/**
 * With or without `0x`, in any case; an odd number of digits gets a leading zero. Throws
 * `BadHex`.
 */
export const hexToBytes = (text: string): Uint8Array => {
  const start = text.startsWith('0x') || text.startsWith('0X') ? 2 : 0;
  const bytes = digitsToBytes(text, start);
  if (bytes !== null) return bytes;
  const wrong = start + text.slice(start).search(noDigit);
  throw new NodeError('BadHex', `"${text[wrong]}" at position ${wrong} is not a hexadecimal digit`);
};
