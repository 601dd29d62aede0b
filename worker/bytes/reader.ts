import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToText } from './bytes.ts';

const notCanonical = (): NodeError =>
  new NodeError('BadScale', 'a compact number is written with more bytes than it needs');

/** A bounded cursor over bytes for SCALE primitives, little-endian. Reads past the end throw `BadScale`. */
export class Reader {
  readonly bytes: Uint8Array;
  offset: number;
  constructor(bytes: Uint8Array, offset = 0) {
    this.bytes = bytes;
    this.offset = offset;
  }
  get remaining(): number {
    return this.bytes.length - this.offset;
  }
  /** Skips the next `length` bytes and returns the offset where they begin. */
  skip(length: number): number {
    const at = this.offset;
    const end = at + length;
    if (!(length >= 0) || end > this.bytes.length)
      throw new NodeError('BadScale', `Not enough data: ${length} bytes wanted, ${this.remaining} left`);
    this.offset = end;
    return at;
  }
  #at(index: number): number {
    return this.bytes[index] as number;
  }
  /** A view (not a copy) of the next `length` bytes. */
  take(length: number): Uint8Array {
    const at = this.skip(length);
    return this.bytes.subarray(at, at + length);
  }
  u8(): number {
    return this.bytes[this.skip(1)] as number;
  }
  u16(): number {
    const at = this.skip(2);
    return this.#at(at) | (this.#at(at + 1) << 8);
  }
  u32(): number {
    const at = this.skip(4);
    return (
      (this.#at(at) | (this.#at(at + 1) << 8) | (this.#at(at + 2) << 16) | (this.#at(at + 3) << 24)) >>> 0
    );
  }
  u64(): bigint {
    const low = this.u32();
    return BigInt(low) | (BigInt(this.u32()) << 32n);
  }
  u128(): bigint {
    const low = this.u64();
    return low | (this.u64() << 64n);
  }
  bool(): boolean {
    const value = this.u8();
    if (value > 1) throw new NodeError('BadScale', `${value} is not a bool`);
    return value === 1;
  }
  /**
   * A compact number of one, two or four bytes whose first byte has been read; null in the big-integer mode.
   */
  #smallCompact(first: number): number | null {
    const mode = first & 3;
    if (mode === 0) return first >> 2;
    if (mode === 3) return null;
    const at = this.skip(mode === 1 ? 1 : 3);
    const rest = mode === 1 ? 0 : (this.#at(at + 1) << 8) | (this.#at(at + 2) << 16);
    const value = (first | ((this.#at(at) | rest) << 8)) >>> 2;
    if (value < (mode === 1 ? 2 ** 6 : 2 ** 14)) throw notCanonical();
    return value;
  }
  /**
   * A SCALE compact number up to u64. Throws unless it is encoded in the fewest bytes, as parity-scale-codec
   * requires.
   */
  compactBig(): bigint {
    const first = this.u8();
    const small = this.#smallCompact(first);
    if (small !== null) return BigInt(small);
    const length = (first >> 2) + 4;
    if (length > 8) throw new NodeError('BadScale', 'compact number out of range');
    const start = this.skip(length);
    let value = 0n;
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(this.#at(start + i));
    if (value < (length === 4 ? 1n << 30n : 1n << BigInt(8 * (length - 1)))) throw notCanonical();
    return value;
  }
  /** SCALE compact that fits in u32. */
  compact(): number {
    const first = this.u8();
    const small = this.#smallCompact(first);
    if (small !== null) return small;
    // All other numbers that fit are followed by exactly four bytes.
    if (first !== 3) throw new NodeError('BadScale', 'compact number out of range');
    const value = this.u32();
    if (value < 2 ** 30) throw notCanonical();
    return value;
  }
  /** A SCALE byte vector, as a view. */
  vecBytes(): Uint8Array {
    return this.take(this.compact());
  }
  /** A SCALE string. */
  text(): string {
    const bytes = this.vecBytes();
    try {
      return bytesToText(bytes);
    } catch (cause) {
      throw new NodeError('BadScale', 'A text is not UTF-8', { cause });
    }
  }
  /** A SCALE vector. Each item takes at least one byte, so the remaining bytes bound the count. */
  vec<T>(item: (reader: Reader) => T): T[] {
    const count = this.compact();
    if (count > this.remaining) throw new NodeError('BadScale', `Not enough data: ${count} items announced`);
    const out: T[] = [];
    for (let i = 0; i < count; i++) out.push(item(this));
    return out;
  }
  option<T>(item: (reader: Reader) => T): T | null {
    const tag = this.u8();
    if (tag > 1) throw new NodeError('BadScale', `${tag} is not an Option tag`);
    return tag === 1 ? item(this) : null;
  }
  /** Throws if bytes are left over. */
  end(): void {
    const { remaining } = this;
    if (remaining === 0) return;
    throw new NodeError('BadScale', `${remaining} ${remaining === 1 ? 'byte' : 'bytes'} left over`);
  }
}

/** Throws `BadScale` unless `read` consumes exactly all bytes. */
export const decodeWhole = <T>(bytes: Uint8Array, read: (reader: Reader) => T): T => {
  const reader = new Reader(bytes);
  const value = read(reader);
  reader.end();
  return value;
};
