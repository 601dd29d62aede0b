import { call, methods } from './define.ts';
import { hash } from './params.ts';
import type { blockStatsResults } from './results/chain.ts';

/** What a block costs to prove. */
export const blockStats = methods<typeof blockStatsResults>()({
  dev_getBlockStats: call({ params: { block_hash: hash() }, safety: 'unsafe' }),
});
