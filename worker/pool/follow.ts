import type { Chain } from '../chain/chain.ts';
import type { ChainEvent } from '../chain/events.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Pool } from './pool.ts';

type Body = { readonly hash: BlockHash; readonly extrinsics: readonly Uint8Array[] };

/** Feeds the pool with what the chain did, one event after another in their order. */
export const followChain = (deps: {
  readonly chain: Pick<Chain, 'onEvent' | 'loadBlock'>;
  readonly pool: Pick<Pool, 'onBlock' | 'onFinalized'>;
  readonly onError: (error: unknown) => void;
}): (() => void) => {
  const { chain, pool } = deps;
  let tail: Promise<unknown> = Promise.resolve();
  const bodies = async (hashes: readonly BlockHash[]): Promise<Body[]> => {
    const out: Body[] = [];
    for (const hash of hashes) out.push({ hash, extrinsics: (await chain.loadBlock(hash))?.extrinsics ?? [] });
    return out;
  };
  const handle = async (event: ChainEvent): Promise<void> => {
    if (event.kind === 'finalized') {
      pool.onFinalized(event.blocks);
      return;
    }
    if (!event.isBest) return;
    const { hash, number } = event;
    await pool.onBlock({ hash, number, enacted: await bodies(event.enacted), retracted: await bodies(event.retracted) });
  };
  return chain.onEvent((event) => {
    tail = tail.then(() => handle(event)).catch(deps.onError);
  });
};
