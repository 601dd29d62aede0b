import { noBytes } from '../../../bytes/bytes.ts';
import { createCipher, tagBytes } from '../../../crypto/network-ciphers.ts';
import { ProtocolError } from '../protocol-error.ts';

/** Messages of Noise: a length of two bytes, big-endian, then as many bytes. */
const lengthBytes = 2;
/** With 65,518 bytes of plain text, a whole message has 65,536, so that the next one is aligned as well. */
const maxPlainBytes = 65_518;
const recordBytes = lengthBytes + maxPlainBytes + tagBytes;
/** Few enough for the WebSockets of other nodes, which take each write as one message. */
const maxRecordsAtOnce = 2;
const smallestBufferBytes = 4096;

/** A handshake's message. */
export const withNoiseLength = (message: Uint8Array): Uint8Array => {
  const out = new Uint8Array(lengthBytes + message.length);
  out[0] = message.length >> 8;
  out[1] = message.length & 255;
  out.set(message, lengthBytes);
  return out;
};

/** How many bytes a message has with its length. */
const sizeAt = (bytes: Uint8Array, at: number): number =>
  lengthBytes + (((bytes[at] as number) << 8) | (bytes[at + 1] as number));

/** Puts plain text into `target` from `at` and before `end`, until it returns `at` because there is no more. */
export type Fill = (target: Uint8Array, at: number, end: number) => number;

/** Writes these few bytes once. */
export const fillWith = (bytes: Uint8Array): Fill => {
  let isWritten = false;
  return (target, at) => {
    if (isWritten) return at;
    isWritten = true;
    target.set(bytes, at);
    return at + bytes.length;
  };
};

/**
 * Encrypts what `fill` writes, in place. The buffer grows while it is filled, so a connection that sends little has
 * a small one. Returns the bytes to send, or null if there was nothing to write.
 */
export const createRecordWriter = (key: Uint8Array) => {
  const cipher = createCipher(key);
  // The length before a message has two bytes, so the message is aligned if the buffer starts two bytes in.
  const shift = lengthBytes;
  let buffer = new Uint8Array(smallestBufferBytes);
  const seal = (at: number, end: number): number => {
    const out = buffer.subarray(at, end + tagBytes);
    cipher.seal(noBytes, buffer.subarray(at, end), out);
    buffer[at - 2] = out.length >> 8;
    buffer[at - 1] = out.length & 255;
    return end + tagBytes;
  };
  return {
    write: (fill: Fill): Uint8Array | null => {
      let used = shift;
      for (let count = 0; count < maxRecordsAtOnce; count++) {
        const at = used + lengthBytes;
        const end = Math.min(at + maxPlainBytes, buffer.length - tagBytes);
        const filled = end > at ? fill(buffer, at, end) : at;
        if (filled === at) break;
        used = seal(at, filled);
      }
      if (used === shift) return null;
      const out = buffer.slice(shift, used);
      const most = shift + maxRecordsAtOnce * recordBytes;
      if (used > buffer.length / 2 && buffer.length < most)
        buffer = new Uint8Array(Math.min(most, 4 * buffer.length));
      return out;
    },
  };
};

/** Cuts bytes that arrive in pieces of any size into messages. */
export const createMessageReader = () => {
  let partial = noBytes;
  let held = 0;
  const keep = (bytes: Uint8Array, size: number): void => {
    if (size > partial.length) {
      const grown = new Uint8Array(Math.max(smallestBufferBytes, size));
      grown.set(partial.subarray(0, held));
      partial = grown;
    }
    partial.set(bytes, held);
    held += bytes.length;
  };
  /** Continues the message that began in earlier bytes; returns where it stopped in these. */
  const complete = (bytes: Uint8Array, from: number): number => {
    let at = from;
    for (; held < lengthBytes && at < bytes.length; at++) keep(bytes.subarray(at, at + 1), lengthBytes);
    if (held < lengthBytes) return at;
    const size = sizeAt(partial, 0);
    const end = Math.min(bytes.length, at + size - held);
    keep(bytes.subarray(at, end), size);
    return end;
  };
  return {
    /** A message is valid during the call only. */
    read: (bytes: Uint8Array, onMessage: (message: Uint8Array) => void): void => {
      for (let at = 0; at < bytes.length; ) {
        const isWhole =
          held === 0 && bytes.length - at >= lengthBytes && sizeAt(bytes, at) <= bytes.length - at;
        if (isWhole) {
          const end = at + sizeAt(bytes, at);
          onMessage(bytes.subarray(at + lengthBytes, end));
          at = end;
          continue;
        }
        at = complete(bytes, at);
        if (held < lengthBytes || held < sizeAt(partial, 0)) return;
        const message = partial.subarray(lengthBytes, held);
        held = 0;
        onMessage(message);
      }
    },
  };
};

/** Decrypts messages. The plain text is valid until the next call. */
export const createRecordOpener = (key: Uint8Array) => {
  const cipher = createCipher(key);
  let plain = noBytes;
  return (sealed: Uint8Array): Uint8Array => {
    const length = sealed.length - tagBytes;
    if (length < 0) throw new ProtocolError('An encrypted message is too short');
    if (length > plain.length) plain = new Uint8Array(Math.max(smallestBufferBytes, length));
    const out = plain.subarray(0, length);
    try {
      cipher.open(noBytes, sealed, out);
    } catch {
      throw new ProtocolError('An encrypted message was altered');
    }
    return out;
  };
};
