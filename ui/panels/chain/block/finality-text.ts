import type { FinalityMode } from '../../../../src/index.ts';

/** A sentence that says when a sealed block is finalized. */
export const finalityText = (mode: FinalityMode): string => {
  if (mode.kind === 'instant') return 'Blocks are finalized immediately. Switch to manual to create forks.';
  if (mode.kind === 'manual')
    return 'Blocks stay unfinalized until you finalize them, so you can build forks.';
  if (mode.kind === 'grandpa') return 'Blocks are finalized by the votes of the GRANDPA authorities.';
  if ('ms' in mode) return `Blocks are finalized ${mode.ms / 1000} s after they become best.`;
  return mode.blocks === 1
    ? 'Blocks are finalized when the next block follows.'
    : `Blocks are finalized when ${mode.blocks} more blocks follow.`;
};
