/** A content identifier: its version, the code of its hash function and the digest (github.com/multiformats/cid). */
export type Cid = { readonly version: 0 | 1; readonly hashCode: bigint; readonly digest: Uint8Array };

/** Why a text is no CID, in the words of the `cid` crate, which a polkadot-sdk node shows. */
export class CidError extends Error {}

const noMultihash = 'Failed to parse multihash';
const isShort = 'unexpected end of file';
const noVarint = 'Failed to decode unsigned varint format';

/** Alphabets by their sign (multibase): hex, base32 and base58btc, which is what CIDs are written in. */
const alphabets: Readonly<Record<string, string>> = {
  f: '0123456789abcdef',
  b: 'abcdefghijklmnopqrstuvwxyz234567',
  z: '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
};
/** A number of so many digits takes time by their square, and no CID has as many. */
const maxDigits = 1024;

const refuse = (why: string): never => {
  throw new CidError(why);
};

/** Digits of `bits` bits each, the first one highest; what is left over is less than a digit, and zero. */
const joinBits = (values: readonly number[], bits: number): Uint8Array => {
  const bytes = new Uint8Array((values.length * bits) >> 3);
  let held = 0;
  let count = 0;
  let place = 0;
  for (const value of values) {
    held = (held << bits) | value;
    count += bits;
    if (count < 8) continue;
    count -= 8;
    bytes[place++] = held >> count;
    held &= (1 << count) - 1;
  }
  return count >= bits || held !== 0 ? refuse(noMultihash) : bytes;
};

/** One big-endian number in base58; a zero digit in front is a zero byte. */
const joinNumber = (values: readonly number[]): Uint8Array => {
  if (values.length > maxDigits) refuse(noMultihash);
  const first = values.findIndex((value) => value !== 0);
  const bytes: number[] = [];
  let number = 0n;
  for (const value of values) number = number * 58n + BigInt(value);
  for (; number > 0n; number >>= 8n) bytes.unshift(Number(number & 0xffn));
  return Uint8Array.from([...new Array<number>(first < 0 ? values.length : first).fill(0), ...bytes]);
};

/** The bytes of a multibase text; hex and base32 are read in either case. */
const decodeMultibase = (text: string): Uint8Array => {
  const body = text.startsWith('z') ? text : text.toLowerCase();
  const alphabet = alphabets[body[0] as string] ?? refuse(noMultihash);
  const bits = Math.log2(alphabet.length);
  const values = Array.from(body.slice(1), (one) => alphabet.indexOf(one));
  if (values.includes(-1)) refuse(noMultihash);
  return Number.isInteger(bits) ? joinBits(values, bits) : joinNumber(values);
};

/** An unsigned LEB128 of at most 64 bits in its shortest form, else a refusal in the words of where it stands. */
const readVarint = (bytes: Uint8Array, from: number, wrong: string, short: string) => {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    const byte = bytes[from + i] ?? refuse(short);
    value |= BigInt(byte & 0x7f) << BigInt(7 * i);
    if (byte >= 0x80) continue;
    return byte === 0 && i > 0 ? refuse(wrong) : { value: BigInt.asUintN(64, value), end: from + i + 1 };
  }
  return refuse(wrong);
};

/**
 * Reads a CID from its text form as the `cid` crate 0.11 does: a path `…/ipfs/` before it is passed over, and bytes after the
 * digest are not looked at. Throws `CidError`.
 */
export const parseCid = (text: string): Cid => {
  const path = text.indexOf('/ipfs/');
  const own = path < 0 ? text : text.slice(path + 6);
  if (own === '' || /^[\0-\x7f]$/.test(own)) refuse('Input too short');
  const bytes = decodeMultibase(own.length === 46 && own.startsWith('Qm') ? `z${own}` : own);
  const version = readVarint(bytes, 0, noVarint, isShort);
  const codec = readVarint(bytes, version.end, noVarint, isShort);
  if (version.value === 0x12n && codec.value === 0x20n) {
    const digest = bytes.slice(codec.end, codec.end + 32);
    return digest.length < 32
      ? refuse('failed to fill whole buffer')
      : { version: 0, hashCode: 0x12n, digest };
  }
  if (version.value === 0n) refuse('CIDv0 cannot be specified in CIDv1 format');
  if (version.value !== 1n) refuse('Unrecognized CID version');
  const code = readVarint(bytes, codec.end, noMultihash, noMultihash);
  const size = readVarint(bytes, code.end, noMultihash, noMultihash);
  const digest = bytes.slice(size.end, size.end + Number(size.value));
  // Digests of more than 64 bytes have no place in the crate's type.
  if (size.value > 64n || digest.length < Number(size.value)) refuse(noMultihash);
  return { version: 1, hashCode: code.value, digest };
};
