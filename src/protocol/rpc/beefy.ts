import { call, subscription } from './define.ts';
import { hashResult, hexResult } from './results.ts';

/**
 * The node's BEEFY voter. Available and listed if the runtime has `BeefyApi`. This node runs no such voter
 * and responds like a native node without one.
 */
export const beefy = {
  beefy_getFinalizedHead: call({
    doc: 'The last block finalized by the BEEFY voter; error 1 if no voter is running.',
    params: {},
    result: hashResult(),
    safety: 'safe',
    needsApi: 'BeefyApi',
    example: { args: {}, result: `0x${'91'.repeat(32)}` },
  }),
  beefy_subscribeJustifications: subscription({
    doc: 'The finality proofs of the BEEFY voter; none if no voter is running.',
    params: {},
    result: hexResult(),
    safety: 'safe',
    needsApi: 'BeefyApi',
    event: 'beefy_justifications',
    unsubscribe: 'beefy_unsubscribeJustifications',
  }),
};
