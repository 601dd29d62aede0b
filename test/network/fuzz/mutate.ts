import { concatBytes, noBytes } from '../../../worker/bytes/bytes.ts';

/** Choices that are the same in each run with the same seed. */
export const createChoices = (random: () => number) => {
  const below = (limit: number): number => Math.floor(random() * limit);
  return {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    /** True once in so many times, on average. */
    onceIn: (times: number): boolean => below(times) === 0,
    bytes: (length: number): Uint8Array => Uint8Array.from({ length }, () => below(256)),
  };
};

export type Choices = ReturnType<typeof createChoices>;

/** Larger than every limit of a request. */
const oversizedBytes = 1_100_000;

/** Bytes that are almost those given: flipped, cut, longer, twice, other ones, none, or far too many. */
export const mutate = ({ below, pick, onceIn, bytes }: Choices, given: Uint8Array): Uint8Array => {
  if (onceIn(2000)) return concatBytes(given, new Uint8Array(oversizedBytes));
  const at = below(given.length + 1);
  const flip = (): Uint8Array => {
    const flipped = given.slice();
    for (let count = 1 + below(3); count > 0 && flipped.length > 0; count--) {
      const index = below(flipped.length);
      flipped[index] = (flipped[index] ?? 0) ^ (1 << below(8));
    }
    return flipped;
  };
  const ways = [
    () => given,
    flip,
    flip,
    () => given.subarray(0, at),
    () => given.subarray(at),
    () => concatBytes(given, bytes(below(40))),
    () => concatBytes(given.subarray(0, at), bytes(1 + below(8)), given.subarray(at)),
    () => concatBytes(given, given),
    () => bytes(below(200)),
    () => new Uint8Array(below(200)).fill(255),
    () => noBytes,
  ];
  return pick(ways)();
};
