const digits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes as a 0x string. */
export const toHex = (bytes: Uint8Array): string => {
  let text = '0x';
  for (const byte of bytes) text += digits[byte];
  return text;
};

/** Parses a hex string (the 0x prefix is optional); null if it is not hex or has an odd number of digits. */
export const readHex = (text: string): Uint8Array | null => {
  const body = text.trim().replace(/^0x/i, '');
  if (body.length % 2 !== 0 || /[^0-9a-f]/i.test(body)) return null;
  const bytes = new Uint8Array(body.length / 2);
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = Number.parseInt(body.slice(index * 2, index * 2 + 2), 16);
  return bytes;
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
