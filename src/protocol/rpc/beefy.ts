import { call, subscription } from './define.ts';
import { hashResult, hexResult } from './results.ts';

/**
 * What the BEEFY voter of a node tells (RPC.md §2.4). Answered to and listed where the runtime has
 * `BeefyApi`; this node runs no such voter, and says so as a native node without one.
 */
export const beefy = {
  beefy_getFinalizedHead: call({
    doc: 'The last block the BEEFY voter finalized; error 1 while no voter runs.',
    params: {},
    result: hashResult(),
    safety: 'safe',
    needsApi: 'BeefyApi',
    example: { args: {}, result: `0x${'91'.repeat(32)}` },
  }),
  beefy_subscribeJustifications: subscription({
    doc: 'The finality proofs of the BEEFY voter; none while no voter runs.',
    params: {},
    result: hexResult(),
    safety: 'safe',
    needsApi: 'BeefyApi',
    event: 'beefy_justifications',
    unsubscribe: 'beefy_unsubscribeJustifications',
  }),
};
