import { concatBytes, noBytes, textToBytes } from '../../bytes/bytes.ts';
import { withLength } from './framing.ts';
import { flags, frameTypes, writeHeader } from './yamux/frames.ts';

const line = (text: string): Uint8Array => withLength(textToBytes(`${text}\n`));

/** Frames of yamux that get far: names that are known, messages that begin, and numbers at the edges. */
export const createFrames = (random: () => number, known: readonly string[]) => {
  const below = (most: number): number => Math.floor(random() * most);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const names = [...known, '/unknown/1', 'x'.repeat(1100)];
  const noise = (length: number): Uint8Array => Uint8Array.from({ length }, () => below(256));
  const bodies = [
    () => line('/multistream/1.0.0'),
    () => concatBytes(line('/multistream/1.0.0'), line(pick(names))),
    () => concatBytes(line('/multistream/1.0.0'), line(pick(names)), withLength(noise(below(300)))),
    () => line(pick(names)),
    () => withLength(noise(below(2000))),
    () => withLength(noise(below(2000))).subarray(0, below(1000)),
    () => noise(below(100)),
    () => noBytes,
    () => Uint8Array.of(255, 255, 255, pick([7, 127, 255])),
  ];
  const lengths = [0, 1, 256 * 1024, 2 ** 24, 2 ** 31, 2 ** 32 - 1];
  let opened = 0;
  return (): Uint8Array => {
    const type = pick([0, 0, 0, 0, 0, 0, 1, 1, 2, below(50) === 0 ? 3 : 0, below(50) === 0 ? 9 : 0]);
    const body = type === frameTypes.data ? pick(bodies)() : noBytes;
    const isLie = below(80) === 0;
    const length = isLie || type !== frameTypes.data ? pick(lengths.slice(0, isLie ? 6 : 3)) : body.length;
    const bytes = new Uint8Array(12 + body.length);
    const isNew = opened === 0 || below(3) === 0;
    if (isNew) opened++;
    const ends = pick([0, 0, 0, 0, 0, 0, flags.fin, flags.rst, flags.ack]);
    const flag = isLie ? below(16) : ends | (isNew ? flags.syn : 0);
    const id = isLie ? below(8) : 2 * (isNew ? opened : 1 + below(opened)) - 1;
    writeHeader(bytes, 0, { type, flags: flag, id, length });
    bytes.set(body, 12);
    return bytes;
  };
};
