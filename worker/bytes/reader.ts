import { NodeError } from '../../src/protocol/errors.ts';
import { bytesToText } from './bytes.ts';

const notCanonical = (): NodeError =>
  new NodeError('BadScale', 'a compact number is written with more bytes than it needs');

/** A bounded cursor over bytes; SCALE primitives, little-endian. Each read throws `BadScale` rather than run past the end. */
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
  /** A view (not a copy) of the next `length` bytes. */
  take(length: number): Uint8Array {
    const end = this.offset + length;
    if (length < 0 || end > this.bytes.length)
      throw new NodeError('BadScale', `Not enough data: ${length} bytes wanted, ${this.remaining} left`);
    const out = this.bytes.subarray(this.offset, end);
    this.offset = end;
    return out;
  }
  u8(): number {
    return this.take(1)[0] as number;
  }
  u16(): number {
    const b = this.take(2);
    return (b[0] as number) | ((b[1] as number) << 8);
  }
  u32(): number {
    const b = this.take(4);
    return (
      ((b[0] as number) | ((b[1] as number) << 8) | ((b[2] as number) << 16) | ((b[3] as number) << 24)) >>> 0
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
  /** SCALE compact up to u64 range, in the fewest bytes, as parity-scale-codec demands; throws otherwise. */
  compactBig(): bigint {
    const first = this.u8();
    const mode = first & 3;
    if (mode === 0) return BigInt(first >> 2);
    if (mode < 3) {
      const rest = this.take(mode === 1 ? 1 : 3);
      let value = first;
      for (let i = 0; i < rest.length; i++) value += (rest[i] as number) * 2 ** (8 * (i + 1));
      value = Math.floor(value / 4);
      if (value < (mode === 1 ? 2 ** 6 : 2 ** 14)) throw notCanonical();
      return BigInt(value);
    }
    const length = (first >> 2) + 4;
    if (length > 8) throw new NodeError('BadScale', 'compact number out of range');
    const bytes = this.take(length);
    let value = 0n;
    for (let i = length - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[i] as number);
    if (value < (length === 4 ? 1n << 30n : 1n << BigInt(8 * (length - 1)))) throw notCanonical();
    return value;
  }
  /** SCALE compact that fits in u32. */
  compact(): number {
    const value = this.compactBig();
    if (value > 0xffff_ffffn) throw new NodeError('BadScale', 'compact number out of range');
    return Number(value);
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
  /** A SCALE vector; each item takes at least one byte, so the count is bounded by what is left. */
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
  /** Throws when bytes are left over. */
  end(): void {
    if (this.remaining !== 0) throw new NodeError('BadScale', `${this.remaining} bytes left over`);
  }
}
