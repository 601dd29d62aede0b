/** Throws a RangeError naming the argument when it has not the length its type says. */
export const checkLength = (name: string, bytes: Uint8Array, length: number): void => {
  if (bytes.length !== length)
    throw new RangeError(`${name} must have ${length} bytes, it has ${bytes.length}`);
};
