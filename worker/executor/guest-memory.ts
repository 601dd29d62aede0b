import { type Allocator, createAllocator } from './allocator/allocator.ts';
import { createWasmAllocator } from './allocator/wasm-allocator.ts';
import { createViews, pageBytes } from './memory-views.ts';
import { OutsideMemory } from './trap.ts';

/** An instance's linear memory as host functions see it: bounds-checked, with data copied in and out. */
export type GuestMemory = {
  readonly allocator: Allocator;
  /**
   * Sets the memory, and the allocator over it: call it before the host functions are created. Until then, every span is out of
   * bounds. `charge` gets fuel for allocations of the runtime.
   */
  attach(memory: WebAssembly.Memory, charge: (units: number) => void): void;
  bytes(): Uint8Array;
  pages(): number;
  /** Maximum pages the allocator may grow to: the size of the call's memory in a native node. */
  setPageLimit(pages: number): void;
  /** A copy of the bytes of a span (address in the low half, length in the high half). */
  copy(span: bigint): Uint8Array;
  /** The same bytes without a copy. Invalid after the next allocation. */
  view(span: bigint): Uint8Array;
  /** A copy of a fixed-size blob. */
  fixed(pointer: number, length: number): Uint8Array;
  /** Decodes UTF-8 from at most the first `most` bytes; replaces what is not UTF-8. */
  text(span: bigint, most: number): string;
  write(pointer: number, bytes: Uint8Array): void;
  /** How many bytes host functions have read and written since the last `resetTouched`. */
  touched(): number;
  resetTouched(): void;
  /** Allocates, copies in, and returns the span. */
  allocWrite(bytes: Uint8Array): bigint;
  allocWritePointer(bytes: Uint8Array): number;
  /** `Option<Vec<u8>>` in SCALE. */
  allocWriteOption(value: Uint8Array | null): bigint;
};

const decoder = /* @__PURE__ */ new TextDecoder();
const outside = (): OutsideMemory => new OutsideMemory('A span points outside the memory');

/**
 * Spans are two words in one BigInt. They are split through shared memory, because BigInt arithmetic
 * allocates and takes four times as long.
 */
const createSpans = () => {
  const words = new Uint32Array(2);
  const whole = new BigUint64Array(words.buffer);
  return {
    join: (pointer: number, length: number): bigint => {
      words[0] = pointer;
      words[1] = length;
      return whole[0] as bigint;
    },
    /** Stores pointer and length in `words`. */
    split: (span: bigint): void => {
      whole[0] = span;
    },
    words,
  };
};
/** Of all instances: the words are read right after they were set. */
const spans = /* @__PURE__ */ createSpans();

const compactLength = (value: number): number =>
  value < 64 ? 1 : value < 0x4000 ? 2 : value < 0x4000_0000 ? 4 : 5;
const writeCompact = (bytes: Uint8Array, at: number, value: number): number => {
  const width = compactLength(value);
  if (width === 5) {
    bytes[at] = 3;
    for (let i = 0; i < 4; i++) bytes[at + 1 + i] = value >>> (8 * i);
    return at + 5;
  }
  const coded = value * 4 + (width === 1 ? 0 : width === 2 ? 1 : 2);
  for (let i = 0; i < width; i++) bytes[at + i] = coded >>> (8 * i);
  return at + width;
};

/** Without memory for another instance, the one in JavaScript does the same. */
const allocatorOver = (...over: Parameters<typeof createWasmAllocator>): Allocator => {
  try {
    return createWasmAllocator(...over);
  } catch {
    return createAllocator(over[0]);
  }
};

const optionLength = ({ length }: Uint8Array): number => 1 + compactLength(length) + length;

const allocOption = (allocator: Allocator, current: () => Uint8Array, value: Uint8Array | null): bigint => {
  if (value === null) {
    const pointer = allocator.malloc(1);
    current()[pointer] = 0;
    return spans.join(pointer, 1);
  }
  const length = optionLength(value);
  const pointer = allocator.malloc(length);
  const all = current();
  if (pointer + length > all.length) throw outside();
  all[pointer] = 1;
  all.set(value, writeCompact(all, pointer + 1, value.length));
  return spans.join(pointer, length);
};

export const createGuestMemory = (): GuestMemory => {
  const views = createViews();
  const current = views.bytes;
  let allocator = createAllocator(views);
  let touched = 0;
  const view = (span: bigint): Uint8Array => {
    spans.split(span);
    const pointer = spans.words[0] as number;
    const length = spans.words[1] as number;
    const all = current();
    touched += length;
    if (pointer + length > all.length) throw outside();
    return views.part(pointer, length);
  };
  const fixed = (pointer: number, length: number): Uint8Array => {
    const at = pointer >>> 0;
    const all = current();
    touched += length;
    if (at + length > all.length) throw outside();
    return all.slice(at, at + length);
  };
  const write = (pointer: number, data: Uint8Array): void => {
    const at = pointer >>> 0;
    const all = current();
    touched += data.length;
    if (at + data.length > all.length) throw outside();
    all.set(data, at);
  };
  const allocWritePointer = (data: Uint8Array): number => {
    const pointer = allocator.malloc(data.length);
    write(pointer, data);
    return pointer;
  };
  return {
    get allocator() {
      return allocator;
    },
    attach: (memory, charge) => {
      views.attach(memory);
      allocator = allocatorOver(views, memory, charge);
    },
    bytes: current,
    pages: () => current().length / pageBytes,
    setPageLimit: views.setPageLimit,
    copy: (span) => {
      spans.split(span);
      return fixed(spans.words[0] as number, spans.words[1] as number);
    },
    view,
    fixed,
    text: (span, most) => decoder.decode(view(span).subarray(0, most)),
    write,
    touched: () => touched,
    resetTouched: () => {
      touched = 0;
    },
    allocWrite: (data) => spans.join(allocWritePointer(data), data.length),
    allocWritePointer,
    allocWriteOption: (value) => {
      if (value !== null) touched += optionLength(value);
      return allocOption(allocator, current, value);
    },
  };
};
