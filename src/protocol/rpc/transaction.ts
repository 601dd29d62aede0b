import { call, methods, subscription } from './define.ts';
import { bytes, text } from './params/params.ts';
import type { transactionResults } from './results/author.ts';

/** Submitting transactions, with and without status updates. */
export const transaction = methods<typeof transactionResults>()({
  transaction_v1_broadcast: call({ params: { bytes: bytes() }, safety: 'safe' }),
  transaction_v1_stop: call({ params: { operation_id: text() }, safety: 'safe' }),
  transactionWatch_v1_submitAndWatch: subscription({
    params: { bytes: bytes() },
    safety: 'safe',
    event: 'transactionWatch_v1_watchEvent',
    unsubscribe: 'transactionWatch_v1_unwatch',
    maxWaiting: Number.POSITIVE_INFINITY,
  }),
});
