/** The bytes in two pieces, for every place to cut, and one by one. */
export const everySplit = function* (bytes: Uint8Array): Generator<readonly Uint8Array[]> {
  for (let at = 0; at <= bytes.length; at++) yield [bytes.slice(0, at), bytes.slice(at)];
  yield Array.from(bytes, (byte) => Uint8Array.of(byte));
};

/** Cuts into pieces of these sizes, in turns. */
export const cutInto =
  (...sizes: readonly number[]) =>
  (bytes: Uint8Array): readonly Uint8Array[] => {
    const pieces: Uint8Array[] = [];
    for (let at = 0, turn = 0; at < bytes.length; turn++) {
      const end = at + (sizes[turn % sizes.length] ?? 1);
      pieces.push(bytes.slice(at, end));
      at = end;
    }
    return pieces;
  };
