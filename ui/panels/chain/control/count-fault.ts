import { groupDigits } from '../../../kit/text/format.ts';

/** The most blocks that are built at once. */
export const maxBlocks = 10_000;

/** Why so many blocks cannot be built; null if they can. */
export const countFault = (count: number | null | undefined): string | null =>
  typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= maxBlocks
    ? null
    : `Enter a whole number from 1 to ${groupDigits(maxBlocks)}.`;
