import { call, methods, subscription } from './define.ts';
import type { beefyResults } from './results/consensus.ts';

/**
 * The node's BEEFY voter. Available and listed if the runtime has `BeefyApi`. This node runs no such voter
 * and responds like a native node without one.
 */
export const beefy = methods<typeof beefyResults>()({
  beefy_getFinalizedHead: call({ params: {}, safety: 'safe', needsApi: 'BeefyApi' }),
  beefy_subscribeJustifications: subscription({
    params: {},
    safety: 'safe',
    needsApi: 'BeefyApi',
    event: 'beefy_justifications',
    unsubscribe: 'beefy_unsubscribeJustifications',
  }),
});
