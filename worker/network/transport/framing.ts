import { concatBytes, noBytes } from '../../bytes/bytes.ts';
import type { Framing } from './connection.ts';
import { ProtocolError } from './protocol-error.ts';

/** Enough for 256 MiB, which is more than any limit. */
const maxLengthBytes = 4;
/** An announced length is not trusted with more memory than this at once. */
const firstBufferBytes = 16 * 1024;

/** LEB128. */
export const encodeVarint = (value: number): Uint8Array => {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
};

/** A message with its length before it. */
export const withLength = (message: Uint8Array): Uint8Array =>
  concatBytes(encodeVarint(message.length), message);

/** Cuts bytes that arrive in pieces of any size into messages. */
export type Deframer = {
  /**
   * Reads from `bytes` at `from`, up to the end of one message, and returns where it stopped. Throws `ProtocolError` if
   * the message is too large, before it is received.
   */
  read(bytes: Uint8Array, from: number): number;
  /** The message that `read` has completed, in a buffer of its own. */
  take(): Uint8Array | null;
  /** Bytes of the current message that are still missing; 0 between messages or if its length is not known yet. */
  missing(): number;
  /** Whether a message has begun and is not complete. */
  isInside(): boolean;
  /** Forgets a message that has begun. */
  drop(): void;
};

const createLength = (maxBytes: number) => {
  let value = 0;
  let count = 0;
  return {
    isBegun: () => count > 0,
    /** The length once its last byte has been added, else null. */
    add: (byte: number): number | null => {
      value += (byte & 127) * 128 ** count++;
      if (value > maxBytes || (byte > 127 && count === maxLengthBytes))
        throw new ProtocolError(`A message has more than ${maxBytes} bytes`);
      if (byte === 0 && count > 1) throw new ProtocolError('A length is not in its shortest form');
      if (byte > 127) return null;
      const length = value;
      value = count = 0;
      return length;
    },
  };
};

/**
 * `hold` receives how many more bytes the buffer takes, or fewer, and may throw. The buffer grows with what has
 * arrived, so a length alone costs nothing.
 */
export const createDeframer = (
  framing: Framing,
  maxBytes: number,
  hold: (bytes: number) => void = () => undefined,
): Deframer => {
  const fixed = framing === 'length' ? null : framing.fixed;
  const prefix = createLength(maxBytes);
  let length: number | null = fixed;
  let buffer = noBytes;
  let filled = 0;
  let message: Uint8Array | null = null;
  const resize = (capacity: number): void => {
    hold(capacity - buffer.length);
    const grown = new Uint8Array(capacity);
    grown.set(buffer.subarray(0, filled));
    buffer = grown;
  };
  const drop = (): void => {
    if (buffer.length > 0) hold(-buffer.length);
    buffer = noBytes;
    filled = 0;
    length = fixed;
  };
  const finish = (): void => {
    message = buffer;
    drop();
  };
  const readLength = (bytes: Uint8Array, from: number): number => {
    let at = from;
    while (at < bytes.length && length === null) length = prefix.add(bytes[at++] as number);
    return at;
  };
  return {
    read: (bytes, from) => {
      const at = length === null ? readLength(bytes, from) : from;
      if (length === null) return at;
      const end = Math.min(bytes.length, at + length - filled);
      const needed = filled + end - at;
      if (needed > buffer.length)
        resize(Math.min(length, Math.max(needed, 2 * buffer.length, firstBufferBytes)));
      buffer.set(bytes.subarray(at, end), filled);
      filled = needed;
      if (filled === length) finish();
      return end;
    },
    take: () => {
      const taken = message;
      message = null;
      return taken;
    },
    missing: () => (length === null ? 0 : length - filled),
    isInside: () => filled > 0 || prefix.isBegun() || (fixed === null && length !== null),
    drop,
  };
};
