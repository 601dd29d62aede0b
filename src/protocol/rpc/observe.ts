import { call, methods, subscription } from './define.ts';
import { logLevel } from './params/dev.ts';
import { bytes, hash, optional } from './params/params.ts';
import type { observeResults } from './results/observe.ts';

/** The node's internals: its runtime's module, its keys, its timings, its log. */
export const observe = methods<typeof observeResults>()({
  dev_runtimeInfo: call({ params: { at: optional(hash()), code: optional(bytes()) }, safety: 'unsafe' }),
  dev_listKeys: call({ params: {}, safety: 'unsafe' }),
  dev_stats: call({ params: {}, safety: 'unsafe' }),
  dev_status: call({ params: {}, safety: 'unsafe' }),
  dev_subscribeLogs: subscription({
    params: { level: optional(logLevel()) },
    safety: 'unsafe',
    event: 'dev_log',
    unsubscribe: 'dev_unsubscribeLogs',
  }),
});
