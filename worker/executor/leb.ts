import { NodeError } from '../../src/protocol/errors.ts';

/** A cursor over a Wasm binary. Reads past the end throw `BadCode`. */
export type Leb = {
  at(): number;
  seek(position: number): void;
  skip(count: number): void;
  u8(): number;
  u32(): number;
  /** Skips one LEB128 number of any width. */
  skipLeb(): void;
  text(): string;
};

const decoder = /* @__PURE__ */ new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const ended = (): NodeError => new NodeError('BadCode', 'The module ends too early');

export const createLeb = (bytes: Uint8Array, start: number): Leb => {
  let position = start;
  const u8 = (): number => {
    if (position >= bytes.length) throw ended();
    return bytes[position++] as number;
  };
  const u32 = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = u8();
      value += (byte & 127) * 2 ** shift;
      if (value >= 2 ** 32) break;
      if (byte < 128) return value;
    }
    throw new NodeError('BadCode', 'A number in the module has more than 32 bits');
  };
  const skip = (count: number): void => {
    position += count;
    if (position > bytes.length) throw ended();
  };
  return {
    at: () => position,
    seek: (next) => {
      position = next;
    },
    skip,
    u8,
    u32,
    skipLeb: () => {
      while (u8() > 127);
    },
    text: () => {
      const length = u32();
      const from = position;
      skip(length);
      try {
        return decoder.decode(bytes.subarray(from, from + length));
      } catch (cause) {
        throw new NodeError('BadCode', 'A name in the module is not UTF-8', { cause });
      }
    },
  };
};

/** LEB128 encoding of an unsigned 32-bit number. */
export const encodeLeb = (value: number): number[] => {
  const out: number[] = [];
  let rest = value >>> 0;
  do {
    const low = rest & 127;
    rest >>>= 7;
    out.push(rest === 0 ? low : low | 128);
  } while (rest !== 0);
  return out;
};
