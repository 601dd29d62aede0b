const prime1 = 0x9e3779b1;
const prime2 = 0x85ebca77;
const prime3 = 0xc2b2ae3d;
const prime4 = 0x27d4eb2f;
const prime5 = 0x165667b1;

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
const round = (sum: number, lane: number): number =>
  Math.imul(rotate((sum + Math.imul(lane, prime2)) | 0, 13), prime1);

const mixTail = (start: number, bytes: Uint8Array, view: DataView, from: number): number => {
  let hash = start;
  let at = from;
  for (; at + 4 <= bytes.length; at += 4)
    hash = Math.imul(rotate((hash + Math.imul(view.getInt32(at, true), prime3)) | 0, 17), prime4);
  for (; at < bytes.length; at++)
    hash = Math.imul(rotate((hash + Math.imul(bytes[at] as number, prime5)) | 0, 11), prime1);
  hash = Math.imul(hash ^ (hash >>> 15), prime2);
  hash = Math.imul(hash ^ (hash >>> 13), prime3);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/**
 * XXH32: fast in plain JavaScript, so that opening a database needs no Wasm core. Detects disk faults, not
 * forgery.
 */
export const checksum = (bytes: Uint8Array, seed: number): number => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < 16) return mixTail((seed + prime5 + bytes.length) | 0, bytes, view, 0);
  let a = (seed + prime1 + prime2) | 0;
  let b = (seed + prime2) | 0;
  let c = seed | 0;
  let d = (seed - prime1) | 0;
  let at = 0;
  for (; at + 16 <= bytes.length; at += 16) {
    a = round(a, view.getInt32(at, true));
    b = round(b, view.getInt32(at + 4, true));
    c = round(c, view.getInt32(at + 8, true));
    d = round(d, view.getInt32(at + 12, true));
  }
  const sum = rotate(a, 1) + rotate(b, 7) + rotate(c, 12) + rotate(d, 18);
  return mixTail((sum + bytes.length) | 0, bytes, view, at);
};
