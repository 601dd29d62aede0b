import { call, methods } from './define.ts';
import type { votersResults } from './results/consensus.ts';

/** Who decides on finality. */
export const voters = methods<typeof votersResults>()({
  dev_grandpa: call({ params: {}, safety: 'unsafe' }),
});
