import type { BlockHash } from '../codec/identity.ts';
import type { ExecutedBlock } from './steps.ts';

/** How long a block took on this machine, in milliseconds. */
export type BlockTiming = {
  readonly hash: BlockHash;
  readonly number: number;
  /** From opening the parent's state to the sealed block. Null for blocks of other nodes. */
  readonly buildMs: number | null;
  /** Verification and, unless the block was built here, execution. */
  readonly importMs: number;
  /** Choosing the best block and writing. */
  readonly commitMs: number;
};

const keptBlocks = 120;

/** The timings of the newest blocks. */
export type Timings = {
  list(): readonly BlockTiming[];
  add(executed: ExecutedBlock, times: Omit<BlockTiming, 'hash' | 'number'>): void;
};

export const createTimings = (): Timings => {
  let kept: BlockTiming[] = [];
  return {
    list: () => kept,
    add: ({ hash, block }, times) => {
      kept = [...kept.slice(1 - keptBlocks), { hash, number: block.header.number, ...times }];
    },
  };
};
