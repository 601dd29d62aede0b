import { call, methods } from './define.ts';
import type { chainSpecResults } from './results/chain.ts';

/** The chain specification, as defined by the new JSON-RPC specification. */
export const chainSpec = methods<typeof chainSpecResults>()({
  chainSpec_v1_chainName: call({ params: {}, safety: 'safe' }),
  chainSpec_v1_genesisHash: call({ params: {}, safety: 'safe' }),
  chainSpec_v1_properties: call({ params: {}, safety: 'safe' }),
});
