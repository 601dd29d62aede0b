import { ProtocolError } from '../protocol-error.ts';

/** The frames of yamux (https://github.com/hashicorp/yamux/blob/master/spec.md). */
export const frameTypes = { data: 0, window: 1, ping: 2, goAway: 3 } as const;
export const flags = { syn: 1, ack: 2, fin: 4, rst: 8 } as const;
export const headerBytes = 12;

/** `length`: of a data frame, the bytes that follow; of others, a number. */
export type Frame = {
  readonly type: number;
  readonly flags: number;
  readonly id: number;
  readonly length: number;
};

export const writeHeader = (target: Uint8Array, at: number, frame: Frame): number => {
  const { type, id, length } = frame;
  target[at] = 0;
  target[at + 1] = type;
  target[at + 2] = frame.flags >> 8;
  target[at + 3] = frame.flags & 255;
  for (let byte = 0; byte < 4; byte++) {
    target[at + 4 + byte] = id >>> (24 - 8 * byte);
    target[at + 8 + byte] = length >>> (24 - 8 * byte);
  }
  return at + headerBytes;
};

const u32 = (bytes: Uint8Array, at: number): number =>
  (((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)) >>>
  0;

const readHeader = (bytes: Uint8Array, at: number): Frame => {
  if (bytes[at] !== 0) throw new ProtocolError('The other side has another version of yamux');
  const type = bytes[at + 1] as number;
  if (type > frameTypes.goAway) throw new ProtocolError(`yamux has no frame of type ${type}`);
  return {
    type,
    flags: ((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number),
    id: u32(bytes, at + 4),
    length: u32(bytes, at + 8),
  };
};

export type FrameEvents = {
  /** A frame begins; that of data is followed by its bytes. */
  frame(frame: Frame): void;
  /** Some of them, as a view that is valid during the call only. */
  body(bytes: Uint8Array): void;
  /** Called after each frame, and after its body. */
  end(): void;
};

/** Reads frames from bytes that arrive in pieces of any size. Bodies are handed on in pieces and not kept. */
export const createFrameReader = (events: FrameEvents): ((bytes: Uint8Array) => void) => {
  const header = new Uint8Array(headerBytes);
  let held = 0;
  let missing = 0;
  const begin = (frame: Frame): void => {
    missing = frame.type === frameTypes.data ? frame.length : 0;
    events.frame(frame);
    if (missing === 0) events.end();
  };
  const readBody = (bytes: Uint8Array, from: number): number => {
    const end = Math.min(bytes.length, from + missing);
    missing -= end - from;
    events.body(bytes.subarray(from, end));
    if (missing === 0) events.end();
    return end;
  };
  const readPart = (bytes: Uint8Array, from: number): number => {
    const end = Math.min(bytes.length, from + headerBytes - held);
    header.set(bytes.subarray(from, end), held);
    held += end - from;
    if (held < headerBytes) return end;
    held = 0;
    begin(readHeader(header, 0));
    return end;
  };
  return (bytes) => {
    for (let at = 0; at < bytes.length; ) {
      if (missing > 0) at = readBody(bytes, at);
      else if (held > 0 || bytes.length - at < headerBytes) at = readPart(bytes, at);
      else {
        begin(readHeader(bytes, at));
        at += headerBytes;
      }
    }
  };
};
