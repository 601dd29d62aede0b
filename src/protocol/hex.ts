/**
 * Hex conversion with the fastest means of the platform: built-in functions (browsers), Buffer (Node.js 24),
 * or plain JavaScript.
 */

/** What `Buffer.toString('hex')` calls. It takes any Uint8Array, which needs no Buffer around it. */
type HexSlice = (this: Uint8Array, from: number, to: number) => string;
const decode = (Uint8Array as unknown as { fromHex?: (digits: string) => Uint8Array }).fromHex;
const encode = (Uint8Array.prototype as unknown as { toHex?: () => string }).toHex;
const hexSlice = (globalThis as unknown as { Buffer?: { prototype: { hexSlice?: HexSlice } } }).Buffer
  ?.prototype.hexSlice;

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
const digitCodes = /* @__PURE__ */ Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0));

/** Up to this length, adding up the pairs is fastest (measured). */
const pairsUpTo = 12;

/** Few enough arguments for any engine's stack. */
const portion = 2048;

const encodePortion = (bytes: Uint8Array): string => {
  const codes = new Uint8Array(bytes.length * 2);
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    codes[i * 2] = digitCodes[byte >> 4] as number;
    codes[i * 2 + 1] = digitCodes[byte & 15] as number;
  }
  return String.fromCharCode.apply(null, codes as unknown as number[]);
};

/**
 * Lower case, without `0x`. A longer text is never concatenated from its pairs: V8 would keep it as a chain
 * of them, so a hash used as a map key would take 0.9 kB and three times as long to look up.
 */
export const bytesToDigits = (bytes: Uint8Array): string => {
  if (encode !== undefined) return encode.call(bytes);
  let text = '';
  if (bytes.length <= pairsUpTo) {
    for (let i = 0; i < bytes.length; i++) text += pairs[bytes[i] as number];
    return text;
  }
  if (hexSlice !== undefined) return hexSlice.call(bytes, 0, bytes.length);
  for (let at = 0; at < bytes.length; at += portion) text += encodePortion(bytes.subarray(at, at + portion));
  return text;
};
