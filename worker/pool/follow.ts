import type { Chain } from '../chain/chain.ts';
import type { ChainEvent } from '../chain/events.ts';
import { type Pace, startPace } from '../chain/pace.ts';
import type { BlockHash, ExtrinsicHash } from '../codec/identity.ts';
import type { BlockBody } from './maintenance.ts';
import type { Pool } from './pool.ts';

/** Stops following when called. */
export type Following = (() => void) & {
  /** Resolves when the pool knows of every block announced so far; to be awaited before a block is built from the pool. */
  readonly settled: () => Promise<void>;
};

/** Feeds the pool with what the chain did, one event after another in their order. */
export const followChain = (deps: {
  readonly chain: Pick<Chain, 'onEvent' | 'loadBlock'>;
  readonly pool: Pick<Pool, 'onBlock' | 'onFinalized' | 'hashOf'>;
  readonly onError: (error: unknown) => void;
}): Following => {
  const { chain, pool } = deps;
  let tail: Promise<void> = Promise.resolve();
  // In slices: who waits for an answer gets it before the pool works through a big block.
  const loadBody = async (hash: BlockHash, pace: Pace): Promise<BlockBody> => {
    const extrinsics = (await chain.loadBlock(hash))?.extrinsics ?? [];
    const hashes: ExtrinsicHash[] = [];
    for (const extrinsic of extrinsics) {
      await pace.pause();
      hashes.push(pool.hashOf(extrinsic));
    }
    return { hash, extrinsics, hashes };
  };
  const bodies = async (hashes: readonly BlockHash[], pace: Pace): Promise<BlockBody[]> => {
    const out: BlockBody[] = [];
    for (const hash of hashes) out.push(await loadBody(hash, pace));
    await pace.pause();
    return out;
  };
  const handle = async (event: ChainEvent): Promise<void> => {
    const { hash, number } = event;
    if (event.kind === 'imported' ? event.isBest : event.kind === 'moved' || event.retracted.length > 0) {
      const pace = startPace();
      const [enacted, retracted] = [await bodies(event.enacted, pace), await bodies(event.retracted, pace)];
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
