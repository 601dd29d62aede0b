import type { BlockHash } from '../../codec/identity.ts';

/** Code that runs instead of a chain's own from a block on (sc-service `WasmSubstitutes`). */
export type CodeSubstitute = {
  /** The first block on whose state it runs. */
  readonly from: number;
  readonly code: Uint8Array;
};

/** What a specification prescribes for the blocks after genesis. */
export type ChainRules = {
  readonly substitutes: readonly CodeSubstitute[];
  readonly badBlocks: ReadonlySet<BlockHash>;
  readonly forkBlocks: ReadonlyMap<number, BlockHash>;
};

export const noRules: ChainRules = { substitutes: [], badBlocks: new Set(), forkBlocks: new Map() };

/** Why the rules exclude a block, or null (sc-service `BlockRules`). */
export const ruleAgainst = (rules: ChainRules, number: number, hash: BlockHash): string | null => {
  const expected = rules.forkBlocks.get(number);
  if (expected !== undefined && expected !== hash)
    return `is of another fork: the chain specification requires ${expected}`;
  return rules.badBlocks.has(hash) ? 'is one of the bad blocks of the chain specification' : null;
};
