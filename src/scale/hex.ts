import { bytesToDigits, digitsToBytes } from '../protocol/hex.ts';

/** Bytes as a 0x string. */
export const toHex = (bytes: Uint8Array): string => `0x${bytesToDigits(bytes)}`;

/** Parses a hex string (the 0x prefix is optional); null if it is not hex or has an odd number of digits. */
export const readHex = (text: string): Uint8Array | null => {
  const digits = text.trim().replace(/^0x/i, '');
  return digits.length % 2 === 0 ? digitsToBytes(digits, 0) : null;
};

/** Parses a hex string from the node; throws TypeError if it is invalid. */
export const fromHex = (text: string): Uint8Array => {
  const bytes = readHex(text);
  if (bytes === null) throw new TypeError(`not hexadecimal: ${text.slice(0, 20)}`);
  return bytes;
};

export const joinBytes = (...parts: readonly Uint8Array[]): Uint8Array => {
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
};
