import { call, methods } from './define.ts';
import { text } from './params.ts';
import type { bitswapResults } from './results/network.ts';

/** Indexed transactions by their content identifiers (JSON-RPC specification, `bitswap_v1_get`). */
export const bitswap = methods<typeof bitswapResults>()({
  bitswap_v1_get: call({ params: { cid: text() }, safety: 'safe' }),
});
