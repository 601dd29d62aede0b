import { methods, subscription } from './define.ts';
import { boolean, optional, u32 } from './params/params.ts';
import type { trafficResults } from './results/traffic.ts';

/** Methods for the operator of a development node only. */
export const traffic = methods<typeof trafficResults>()({
  dev_subscribeTraffic: subscription({
    params: { text_limit: optional(u32()), own: optional(boolean()) },
    safety: 'unsafe',
    event: 'dev_traffic',
    unsubscribe: 'dev_unsubscribeTraffic',
  }),
});
