/**
 * Hex conversion with the fastest means of the platform: built-in functions (browsers), Buffer (Node.js 24),
 * or plain JavaScript.
 */

type NodeBuffer = {
  from(buffer: ArrayBufferLike, offset: number, length: number): { toString(encoding: 'hex'): string };
};
const decode = (Uint8Array as unknown as { fromHex?: (digits: string) => Uint8Array }).fromHex;
const encode = (Uint8Array.prototype as unknown as { toHex?: () => string }).toHex;
const nodeBuffer = (globalThis as unknown as { Buffer?: NodeBuffer }).Buffer;

const noDigit = 255;
const values = /* @__PURE__ */ (() => {
  const table = new Uint8Array(256).fill(noDigit);
  for (let value = 0; value < 16; value++) {
    const digit = value.toString(16);
    table[digit.charCodeAt(0)] = value;
    table[digit.toUpperCase().charCodeAt(0)] = value;
  }
  return table;
})();

const valueAt = (text: string, at: number): number => values[text.charCodeAt(at)] ?? noDigit;

const decodePairs = (text: string, start: number): Uint8Array | null => {
  const odd = (text.length - start) & 1;
  const bytes = new Uint8Array((text.length - start + odd) >> 1);
  let seen = 0;
  let at = start;
  let to = 0;
  if (odd === 1) {
    seen = valueAt(text, at++);
    bytes[to++] = seen;
  }
  while (at < text.length) {
    const high = valueAt(text, at++);
    const low = valueAt(text, at++);
    seen |= high | low;
    bytes[to++] = (high << 4) | low;
  }
  return seen > 15 ? null : bytes;
};

/**
 * Decodes the digits from `start` on, in any case; an odd count gets a leading zero. Null if a character is
 * not a digit.
 */
export const digitsToBytes = (text: string, start: number): Uint8Array | null => {
  if (decode === undefined || ((text.length - start) & 1) === 1) return decodePairs(text, start);
  try {
    return decode.call(Uint8Array, text.slice(start));
  } catch {
    return null;
  }
};

const pairs = /* @__PURE__ */ Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Up to this length, plain JavaScript is as fast as a Node.js Buffer (measured). */
const shortUpTo = 40;

/** Lower case, without `0x`. */
export const bytesToDigits = (bytes: Uint8Array): string => {
  if (encode !== undefined) return encode.call(bytes);
  if (nodeBuffer !== undefined && bytes.length > shortUpTo)
    return nodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
  let text = '';
  for (let i = 0; i < bytes.length; i++) text += pairs[bytes[i] as number];
  return text;
};
