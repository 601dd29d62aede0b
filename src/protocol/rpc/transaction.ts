import * as z from 'zod/mini';
import { call, subscription } from './define.ts';
import { bytes, text } from './params.ts';

const event = () => z.looseObject({ event: z.string() });

/** Submitting transactions, with and without status updates. */
export const transaction = {
  transaction_v1_broadcast: call({
    doc: 'Submits a transaction, and again at each best block while it may become valid; null if 16 broadcasts are active.',
    params: { bytes: bytes() },
    result: z.nullable(z.string()),
    safety: 'safe',
    example: { args: { bytes: '0x00' }, result: 'k3J9sQ0ZpLm2VbX1' },
  }),
  transaction_v1_stop: call({
    doc: 'Stops a broadcast. A transaction that is not in a block yet is removed from the pool under `psp-6`, and stays under `polkadot-sdk`.',
    params: { operation_id: text() },
    result: z.null(),
    safety: 'safe',
    example: { args: { operation_id: 'k3J9sQ0ZpLm2VbX1' }, result: null },
  }),
  transactionWatch_v1_submitAndWatch: subscription({
    doc: 'Submits a transaction and reports its status; a refusal is reported as an event too.',
    params: { bytes: bytes() },
    result: event(),
    safety: 'safe',
    event: 'transactionWatch_v1_watchEvent',
    unsubscribe: 'transactionWatch_v1_unwatch',
    maxWaiting: Number.POSITIVE_INFINITY,
  }),
};
