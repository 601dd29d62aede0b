/** Throws a RangeError naming the argument if its length does not match its type. */
export const checkLength = (name: string, bytes: Uint8Array, length: number): void => {
  if (bytes.length !== length)
    throw new RangeError(`${name} must have ${length} bytes, it has ${bytes.length}`);
};
