import type { chainSpec } from '../../../src/protocol/rpc/chain-spec.ts';
import type { Handlers } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';

export const chainSpecMethods: Handlers<typeof chainSpec, Pick<RpcParts, 'chain'>> = {
  chainSpec_v1_chainName: ({ chain }) => chain.spec.name,
  chainSpec_v1_genesisHash: ({ chain }) => chain.genesisHash,
  chainSpec_v1_properties: ({ chain }) => chain.spec.properties,
};
