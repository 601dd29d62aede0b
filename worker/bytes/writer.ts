/**
 * A growing byte buffer for SCALE primitives, little-endian. `finish` returns exactly the written bytes,
 * without a copy if they fill the buffer.
 */
export class Writer {
  #buffer: Uint8Array;
  #length = 0;
  constructor(capacity = 64) {
    this.#buffer = new Uint8Array(capacity);
  }
  #reserve(extra: number): number {
    const at = this.#length;
    const needed = at + extra;
    if (needed > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
      grown.set(this.#buffer.subarray(0, at));
      this.#buffer = grown;
    }
    this.#length = needed;
    return at;
  }
  raw(bytes: Uint8Array): this {
    const at = this.#reserve(bytes.length);
    this.#buffer.set(bytes, at);
    return this;
  }
  u8(value: number): this {
    const at = this.#reserve(1);
    this.#buffer[at] = value;
    return this;
  }
  u16(value: number): this {
    return this.u8(value & 255).u8((value >>> 8) & 255);
  }
  u32(value: number): this {
    return this.u16(value & 0xffff).u16((value >>> 16) & 0xffff);
  }
  u64(value: bigint): this {
    return this.u32(Number(value & 0xffff_ffffn)).u32(Number((value >> 32n) & 0xffff_ffffn));
  }
  u128(value: bigint): this {
    return this.u64(value & 0xffff_ffff_ffff_ffffn).u64(value >> 64n);
  }
  bool(value: boolean): this {
    return this.u8(value ? 1 : 0);
  }
  compact(value: number | bigint): this {
    if (typeof value === 'number' && value < 0x4000_0000) {
      if (value < 64) return this.u8(value << 2);
      if (value < 0x4000) return this.u16((value << 2) | 1);
      return this.u32(value * 4 + 2);
    }
    const big = BigInt(value);
    if (big < 0x4000_0000n) return this.compact(Number(big));
    let count = 0;
    for (let rest = big; rest > 0n; rest >>= 8n) count++;
    this.u8(((count - 4) << 2) | 3);
    for (let i = 0; i < count; i++) this.u8(Number((big >> BigInt(8 * i)) & 255n));
    return this;
  }
  vecBytes(bytes: Uint8Array): this {
    return this.compact(bytes.length).raw(bytes);
  }
  vec<T>(items: readonly T[], item: (writer: this, value: T) => void): this {
    this.compact(items.length);
    for (const value of items) item(this, value);
    return this;
  }
  option<T>(value: T | null, item: (writer: this, value: T) => void): this {
    if (value === null) return this.u8(0);
    this.u8(1);
    item(this, value);
    return this;
  }
  get length(): number {
    return this.#length;
  }
  finish(): Uint8Array {
    // A full buffer is not written to again, so it need not be copied.
    return this.#length === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.#length);
  }
}
