import { call, methods, subscription } from './define.ts';
import { hash, heightOrHash, optional, u64 } from './params.ts';
import type { grandpaResults } from './results/consensus.ts';

/** Finality by GRANDPA. */
export const grandpa = methods<typeof grandpaResults>()({
  grandpa_roundState: call({ params: {}, safety: 'safe' }),
  grandpa_proveFinality: call({
    params: { block: heightOrHash(), end: optional(hash()), set_id: optional(u64()) },
    safety: 'safe',
  }),
  grandpa_subscribeJustifications: subscription({
    params: {},
    safety: 'safe',
    event: 'grandpa_justifications',
    unsubscribe: 'grandpa_unsubscribeJustifications',
  }),
});
