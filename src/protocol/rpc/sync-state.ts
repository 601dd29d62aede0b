import { call, methods } from './define.ts';
import { boolean } from './params.ts';
import type { syncStateResults } from './results/network.ts';

/** Starting state for light clients. */
export const syncState = methods<typeof syncStateResults>()({
  sync_state_genSyncSpec: call({ params: { raw: boolean() }, safety: 'safe' }),
});
