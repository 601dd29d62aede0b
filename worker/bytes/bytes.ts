/** The shared empty byte string. */
export const noBytes: Uint8Array = new Uint8Array(0);

export const concatBytes = (...parts: readonly Uint8Array[]): Uint8Array => {
  let length = 0;
  for (const part of parts) length += part.length;
  const out = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    out.set(part, offset);
    offset += part.length;
  }
  return out;
};

/** Byte order of trie keys: lexicographic, with a prefix before the longer key. */
export const compareBytes = (a: Uint8Array, b: Uint8Array): number => {
  const shared = a.length < b.length ? a.length : b.length;
  for (let i = 0; i < shared; i++) {
    const difference = (a[i] as number) - (b[i] as number);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
};

export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
};

export const startsWithBytes = (bytes: Uint8Array, prefix: Uint8Array): boolean => {
  if (bytes.length < prefix.length) return false;
  for (let i = 0; i < prefix.length; i++) if (bytes[i] !== prefix[i]) return false;
  return true;
};

/** Few enough arguments for any engine's stack. */
const keyChunk = 4096;
const fromCodes = (bytes: Uint8Array): string =>
  String.fromCharCode.apply(null, bytes as unknown as number[]);

/** One UTF-16 unit per byte: a cheap, exact map key for bytes. Never shown or stored. */
export const bytesToKey = (bytes: Uint8Array): string => {
  if (bytes.length <= keyChunk) return fromCodes(bytes);
  let text = '';
  for (let at = 0; at < bytes.length; at += keyChunk) text += fromCodes(bytes.subarray(at, at + keyChunk));
  return text;
};

export const keyToBytes = (key: string): Uint8Array => {
  const out = new Uint8Array(key.length);
  for (let i = 0; i < key.length; i++) out[i] = key.charCodeAt(i);
  return out;
};

const encoder = /* @__PURE__ */ new TextEncoder();
const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true });
export const textToBytes = (text: string): Uint8Array => encoder.encode(text);
/** Throws a TypeError if the bytes are not UTF-8. */
export const bytesToText = (bytes: Uint8Array): string => decoder.decode(bytes);
