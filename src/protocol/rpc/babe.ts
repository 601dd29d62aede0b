import { call, methods } from './define.ts';
import type { babeResults } from './results/consensus.ts';

/** The node's own BABE slots. */
export const babe = methods<typeof babeResults>()({
  babe_epochAuthorship: call({ params: {}, safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' } }),
});
