import { NodeError } from '../../../src/protocol/errors.ts';
import type { BlockHash } from '../../codec/identity.ts';
import type { Downloaded } from './response.ts';

export type EarlyBlocksDeps = {
  readonly schedule: (ms: number, run: () => void) => () => void;
  /** Imports these again, in this order. */
  readonly retry: (blocks: readonly Downloaded[]) => void;
  readonly onError: (error: unknown) => void;
};

/**
 * Blocks whose time has not come by this machine's clock, and those above them. They are kept, because a peer that is asked
 * for the same blocks a third time ends the connection for that. They count as blocks that wait for their import.
 */
export type EarlyBlocks = {
  /** Whether the block is kept: one that was refused for this reason, or one above a kept one (without `reason`). */
  keep(block: Downloaded, reason?: string): boolean;
  has(hash: BlockHash): boolean;
  count(): number;
  bytes(): number;
  clear(): void;
};

const retryMs = 2000;
/** A minute: then they are given up. */
const maxTries = 30;

export const createEarlyBlocks = ({ schedule, retry, onError }: EarlyBlocksDeps): EarlyBlocks => {
  const blocks = new Map<BlockHash, Downloaded>();
  /** How often the block was refused, of those that were. */
  const refusals = new Map<BlockHash, number>();
  let bytes = 0;
  let cancel: (() => void) | null = null;
  const takeAll = (): Downloaded[] => {
    const all = [...blocks.values()];
    blocks.clear();
    bytes = 0;
    return all;
  };
  const run = (): void => {
    cancel = null;
    for (const hash of refusals.keys()) if (!blocks.has(hash)) refusals.delete(hash);
    retry(takeAll());
  };
  const isGivenUp = ({ hash }: Downloaded, reason: string): boolean => {
    const count = (refusals.get(hash) ?? 0) + 1;
    refusals.set(hash, count);
    if (count <= maxTries) return false;
    refusals.delete(hash);
    onError(new NodeError('FutureBlock', `${reason}. Compare the clocks of this machine and of its peers`));
    return true;
  };
  return {
    keep: (block, reason) => {
      if (reason === undefined ? !blocks.has(block.parent) : isGivenUp(block, reason)) return false;
      blocks.set(block.hash, block);
      bytes += block.bytes;
      cancel ??= schedule(retryMs, run);
      return true;
    },
    has: (hash) => blocks.has(hash),
    count: () => blocks.size,
    bytes: () => bytes,
    clear: () => {
      cancel?.();
      cancel = null;
      refusals.clear();
      takeAll();
    },
  };
};
