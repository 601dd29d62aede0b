import { call, methods } from './define.ts';
import { bytes, hash, optional } from './params.ts';
import type { paymentResults } from './results/system.ts';

/** Fees. */
export const payment = methods<typeof paymentResults>()({
  payment_queryInfo: call({ params: { encoded_xt: bytes(), at: optional(hash()) }, safety: 'safe' }),
  payment_queryFeeDetails: call({ params: { encoded_xt: bytes(), at: optional(hash()) }, safety: 'safe' }),
});
