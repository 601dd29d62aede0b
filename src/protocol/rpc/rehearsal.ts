import { methods, subscription } from './define.ts';
import { bytes, hash, optional } from './params/params.ts';
import { blockCount, checksParam } from './params/rehearsal.ts';
import type { rehearsalResults } from './results/rehearsal.ts';

/** The rehearsal of a runtime upgrade, which `tabnode try-runtime` does on a live chain. */
export const rehearsal = methods<typeof rehearsalResults>()({
  dev_subscribeRehearsal: subscription({
    params: {
      code: bytes(),
      checks: optional(checksParam()),
      max_blocks: optional(blockCount()),
      at: optional(hash()),
    },
    safety: 'unsafe',
    event: 'dev_rehearsal',
    unsubscribe: 'dev_unsubscribeRehearsal',
  }),
});
