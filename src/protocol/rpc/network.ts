import { call, methods } from './define.ts';
import { boolean, text } from './params/params.ts';
import type { bitswapResults, networkResults, syncStateResults } from './results/network.ts';

/** The node as a network peer. It does not listen until it joins a network. */
export const network = methods<typeof networkResults>()({
  system_localPeerId: call({ params: {}, safety: 'safe' }),
  system_localListenAddresses: call({ params: {}, safety: 'safe' }),
  system_networkState: call({
    params: {},
    safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' },
    aliases: ['system_unstable_networkState'],
  }),
  system_reservedPeers: call({ params: {}, safety: 'safe' }),
  system_addReservedPeer: call({ params: { peer: text() }, safety: 'unsafe' }),
  system_removeReservedPeer: call({ params: { peer_id: text() }, safety: 'unsafe' }),
});

/** Starting state for light clients. */
export const syncState = methods<typeof syncStateResults>()({
  sync_state_genSyncSpec: call({ params: { raw: boolean() }, safety: 'safe' }),
});

/** Indexed transactions by their content identifiers (JSON-RPC specification, `bitswap_v1_get`). */
export const bitswap = methods<typeof bitswapResults>()({
  bitswap_v1_get: call({ params: { cid: text() }, safety: 'safe' }),
});
