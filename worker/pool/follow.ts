import type { Chain } from '../chain/chain.ts';
import type { ChainEvent } from '../chain/events.ts';
import { yieldNow } from '../chain/pace.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Pool } from './pool.ts';

type Body = { readonly hash: BlockHash; readonly extrinsics: readonly Uint8Array[] };

/** A big block comes right after its commit, another long stretch: who waits for an answer gets it in between. */
const isLong = (blocks: readonly Body[]): boolean => blocks.some(({ extrinsics }) => extrinsics.length > 100);

/** Stops following when called. */
export type Following = (() => void) & {
  /** Resolves when the pool knows of every block announced so far; to be awaited before a block is built from the pool. */
  readonly settled: () => Promise<void>;
};

/** Feeds the pool with what the chain did, one event after another in their order. */
export const followChain = (deps: {
  readonly chain: Pick<Chain, 'onEvent' | 'loadBlock'>;
  readonly pool: Pick<Pool, 'onBlock' | 'onFinalized'>;
  readonly onError: (error: unknown) => void;
}): Following => {
  const { chain, pool } = deps;
  let tail: Promise<void> = Promise.resolve();
  const bodies = async (hashes: readonly BlockHash[]): Promise<Body[]> => {
    const out: Body[] = [];
    for (const hash of hashes)
      out.push({ hash, extrinsics: (await chain.loadBlock(hash))?.extrinsics ?? [] });
    return out;
  };
  const handle = async (event: ChainEvent): Promise<void> => {
    const { hash, number } = event;
    if (event.kind === 'imported' ? event.isBest : event.kind === 'moved' || event.retracted.length > 0) {
      const [enacted, retracted] = [await bodies(event.enacted), await bodies(event.retracted)];
      if (isLong(enacted) || isLong(retracted)) await yieldNow();
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
