/** Bytes that wait to be sent, in the pieces they came in. */
export type ByteQueue = {
  /** The bytes are the queue's from then on. */
  push(bytes: Uint8Array): void;
  size(): number;
  /** Moves up to `max` bytes to `target` at `at`; returns how many. */
  move(target: Uint8Array, at: number, max: number): number;
  clear(): void;
};

/** Taken pieces stay in the list until there are this many, because removing the first one moves all others. */
const maxTaken = 64;

export const createByteQueue = (): ByteQueue => {
  let pieces: Uint8Array[] = [];
  let first = 0;
  let offset = 0;
  let size = 0;
  const next = (): void => {
    first++;
    offset = 0;
    if (first === pieces.length) {
      pieces = [];
      first = 0;
    } else if (first === maxTaken) {
      pieces = pieces.slice(first);
      first = 0;
    }
  };
  return {
    push: (bytes) => {
      if (bytes.length === 0) return;
      pieces.push(bytes);
      size += bytes.length;
    },
    size: () => size,
    move: (target, at, max) => {
      const end = at + Math.min(max, size);
      for (let to = at; to < end; ) {
        const piece = pieces[first] as Uint8Array;
        const count = Math.min(end - to, piece.length - offset);
        target.set(piece.subarray(offset, offset + count), to);
        to += count;
        offset += count;
        if (offset === piece.length) next();
      }
      size -= end - at;
      return end - at;
    },
    clear: () => {
      pieces = [];
      first = offset = size = 0;
    },
  };
};
