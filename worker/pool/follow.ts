import type { Chain } from '../chain/chain.ts';
import type { ChainEvent } from '../chain/events.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { BlockBody } from './maintenance.ts';
import type { Pool } from './pool.ts';

/** Stops following when called. */
export type Following = (() => void) & {
  /**
   * Resolves when the pool has processed every block announced so far. Await it before building a block from
   * the pool.
   */
  readonly settled: () => Promise<void>;
};

/** Passes chain events to the pool, in order and one at a time. */
export const followChain = (deps: {
  readonly chain: Pick<Chain, 'onEvent' | 'loadBlock'>;
  readonly pool: Pick<Pool, 'onBlock' | 'onFinalized'>;
  readonly onError: (error: unknown) => void;
}): Following => {
  const { chain, pool } = deps;
  let tail: Promise<void> = Promise.resolve();
  const loadBody = async (hash: BlockHash): Promise<BlockBody> => ({
    hash,
    extrinsics: (await chain.loadBlock(hash))?.extrinsics ?? [],
  });
  const bodies = (hashes: readonly BlockHash[]) => Promise.all(hashes.map(loadBody));
  const handle = async (event: ChainEvent): Promise<void> => {
    const { hash, number } = event;
    if (event.kind === 'imported' ? event.isBest : event.kind === 'moved' || event.retracted.length > 0) {
      const [enacted, retracted] = [await bodies(event.enacted), await bodies(event.retracted)];
      const resubmit = event.kind !== 'moved' || event.resubmit;
      await pool.onBlock({ hash, number, enacted, retracted, resubmit });
    }
    if (event.kind === 'finalized') pool.onFinalized(event.blocks);
  };
  const stop = chain.onEvent((event) => {
    tail = tail.then(() => handle(event)).catch(deps.onError);
    return tail;
  });
  return Object.assign(() => stop(), { settled: () => tail });
};
