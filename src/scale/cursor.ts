/** Why decoding failed, and where: `at` is the offset in bytes from the start of the cursor's bytes. */
export class DecodeFault extends Error {
  override readonly name = 'DecodeFault';
  readonly at: number;
  /** The part that could not be decoded, as in `data.free` or `[3].who`; empty for the whole. */
  path = '';

  constructor(message: string, at: number) {
    super(message);
    this.at = at;
  }
}

/** Why decoding failed, with the part that could not be decoded: `data.free: 16 bytes expected, 3 left`. */
export const faultText = ({ path, message }: DecodeFault): string =>
  path === '' ? message : `${path}: ${message}`;

/** Reads SCALE primitives from a byte array, never past its end. */
export type Cursor = {
  readonly bytes: Uint8Array;
  at: number;
};

export const createCursor = (bytes: Uint8Array, at = 0): Cursor => ({ bytes, at });

export const remaining = (cursor: Cursor): number => cursor.bytes.length - cursor.at;

/** Null if `read` throws DecodeFault. */
export const orNull = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (fault) {
    if (fault instanceof DecodeFault) return null;
    throw fault;
  }
};

/** The next `count` bytes as a view; throws DecodeFault if fewer are left. */
export const takeBytes = (cursor: Cursor, count: number): Uint8Array => {
  if (count > remaining(cursor))
    throw new DecodeFault(
      `${count} ${count === 1 ? 'byte' : 'bytes'} expected, ${remaining(cursor)} left`,
      cursor.at,
    );
  const taken = cursor.bytes.subarray(cursor.at, cursor.at + count);
  cursor.at += count;
  return taken;
};

/** Throws DecodeFault if bytes are left. */
export const takeEnd = (cursor: Cursor): void => {
  const left = remaining(cursor);
  if (left > 0) throw new DecodeFault(`${left} ${left === 1 ? 'byte' : 'bytes'} left over`, cursor.at);
};

export const takeByte = (cursor: Cursor): number => takeBytes(cursor, 1)[0] ?? 0;

/** A little-endian unsigned integer of `size` bytes. */
export const takeUnsigned = (cursor: Cursor, size: number): bigint => {
  let value = 0n;
  takeBytes(cursor, size).forEach((byte, index) => {
    value |= BigInt(byte) << BigInt(index * 8);
  });
  return value;
};

/** Compact integers have up to 161 digits. */
const mostDigits = 20;

/** A number in a message, cut if it is long. */
export const digitsText = (value: bigint): string => {
  const digits = value.toString();
  return digits.length <= mostDigits ? digits : `${digits.slice(0, mostDigits)}…`;
};

/** A compact integer (SCALE, "Compact/general integers"). Like the node, it refuses one that could be shorter. */
export const takeCompact = (cursor: Cursor): bigint => {
  const start = cursor.at;
  const first = takeByte(cursor);
  const mode = first & 3;
  const size = mode < 3 ? 1 << mode : (first >> 2) + 4;
  if (mode < 3) cursor.at = start;
  const value = takeUnsigned(cursor, size) >> (mode < 3 ? 2n : 0n);
  /** Bits of the greatest integer that is shorter. */
  const shorter = [0, 6, 14][mode] ?? Math.max(30, size * 8 - 8);
  if (mode > 0 && value >> BigInt(shorter) === 0n)
    throw new DecodeFault(`the compact integer ${digitsText(value)} could be shorter`, start);
  return value;
};

/** A compact length; throws DecodeFault if that many items of `partSize` bytes or more do not fit. */
export const takeLength = (cursor: Cursor, partSize: number): number => {
  const start = cursor.at;
  const count = takeCompact(cursor);
  if (count * BigInt(partSize) > BigInt(remaining(cursor)))
    throw new DecodeFault(
      `a length of ${digitsText(count)} does not fit in the ${remaining(cursor)} bytes left`,
      start,
    );
  return Number(count);
};
