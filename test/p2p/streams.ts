import { concatBytes } from '../../worker/bytes/bytes.ts';

/** Both directions of a byte stream. */
export type ByteStream = {
  send(bytes: Uint8Array): void;
  /** Resolves with exactly this many bytes. There is one reader at a time. */
  read(length: number): Promise<Uint8Array>;
  /** Nothing more is sent. */
  close(): void;
};

/** The other side has ended a stream; not a fault. */
export class StreamEnd extends Error {
  override readonly name = 'StreamEnd';
}

type Waiting = {
  readonly length: number;
  readonly resolve: (bytes: Uint8Array) => void;
  readonly reject: (error: Error) => void;
};

/**
 * Bytes that arrive in pieces of any size. `onRoom` is called with the number of bytes that the sender may
 * send again: what was read, and what a reader waits for, because a message may be larger than a window.
 */
export const createInflow = (onRoom: (bytes: number) => void = () => undefined) => {
  let chunks: Uint8Array[] = [];
  let held = 0;
  let received = 0;
  let returned = 0;
  let waiting: Waiting | null = null;
  let ended: Error | null = null;
  const giveRoom = (): void => {
    const room = Math.min(received, received - held + (waiting?.length ?? 0)) - returned;
    if (room <= 0) return;
    returned += room;
    onRoom(room);
  };
  const take = (length: number): Uint8Array => {
    const all = concatBytes(...chunks);
    chunks = all.length === length ? [] : [all.subarray(length)];
    held -= length;
    return all.subarray(0, length);
  };
  return {
    push: (bytes: Uint8Array): void => {
      if (ended !== null || bytes.length === 0) return;
      chunks.push(bytes);
      held += bytes.length;
      received += bytes.length;
      if (waiting !== null && held >= waiting.length) {
        const { resolve, length } = waiting;
        waiting = null;
        resolve(take(length));
      }
      giveRoom();
    },
    /** What has arrived can still be read. */
    end: (error: Error): void => {
      ended ??= error;
      waiting?.reject(ended);
      waiting = null;
    },
    read: (length: number): Promise<Uint8Array> => {
      if (waiting !== null) return Promise.reject(new Error('A stream has one reader'));
      if (held >= length) {
        const bytes = take(length);
        giveRoom();
        return Promise.resolve(bytes);
      }
      if (ended !== null) return Promise.reject(ended);
      return new Promise((resolve, reject) => {
        waiting = { length, resolve, reject };
        giveRoom();
      });
    },
  };
};

export type Inflow = ReturnType<typeof createInflow>;

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

/** Reads a message with its length before it. Throws before it is read if it is too large. */
export const readMessage = async (
  stream: Pick<ByteStream, 'read'>,
  maxBytes: number,
): Promise<Uint8Array> => {
  let length = 0;
  for (let scale = 1; ; scale *= 128) {
    const [byte = 0] = await stream.read(1);
    length += (byte & 127) * scale;
    if (length > maxBytes || scale > 128 ** 4)
      throw new RangeError(`a message of more than ${maxBytes} bytes`);
    if (byte < 128) return stream.read(length);
  }
};
