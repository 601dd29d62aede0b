import { NodeError } from '../../src/protocol/errors.ts';
import type { ReplayReport } from '../../src/protocol/replay.ts';
import type { Chain } from '../chain/chain.ts';
import { createReadSets } from '../chain/states/trie-store.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { ReplaySource } from './replay.ts';
import { replayAndCompare } from './run-block.ts';

export type Reader = Pick<Chain, 'loadBlock' | 'runtimeAt' | 'withState' | 'record' | 'run'>;

/** The node's own chain, to execute its blocks again. */
export const sourceOf = (chain: Reader): ReplaySource => ({
  store: { run: chain.run, readSets: createReadSets() },
  loadBlock: async (hash) => {
    const block = await chain.loadBlock(hash);
    if (block === null) throw new NodeError('UnknownBlock', `Block was not found in the database: ${hash}`);
    return block;
  },
  stateAt: (hash) => chain.withState(hash, (state) => state),
  runtimeAfter: (hash) => chain.runtimeAt(hash, 'onchain'),
  record: chain.record,
  changedBy: async () => null,
  keep: () => undefined,
});

/**
 * Executes a block of the node's own chain again, phase by phase, and reports what each phase did (`dev_runBlock`). Throws
 * `UnknownBlock`, `StateDiscarded`, `Unsupported` for block 0.
 */
export const runOwnBlock = (chain: Reader, hash: BlockHash): Promise<ReplayReport> =>
  replayAndCompare(sourceOf(chain), hash, { withPhases: true, nowMs: () => performance.now() });
