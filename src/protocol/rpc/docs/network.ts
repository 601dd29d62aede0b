import type { MethodDocs } from '../define.ts';

const peer = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN';

export const bitswapDocs = {
  bitswap_v1_get: {
    doc: 'The indexed transaction whose hash is the digest of a CIDv1; -32810 if there is none. This node keeps no transaction index, so it never finds one.',
    example: { cid: 'bafk2bzacec5lindttapqst35gv4767ig2vxmcaeherlaubtqhufg4tqqmeen4' },
  },
} satisfies MethodDocs;

export const networkDocs = {
  system_localPeerId: { doc: "The node's own peer id in base58; it is stored with the chain.", example: {} },
  system_localListenAddresses: {
    doc: 'The addresses the node listens on, each ending in its peer id.',
    example: {},
  },
  system_networkState: { doc: 'The state of the network; the format may change.', example: {} },
  system_reservedPeers: { doc: 'The ids of the reserved peers.', example: {} },
  system_addReservedPeer: {
    doc: 'Adds a reserved peer, given by an address that ends in `/p2p/` and its id.',
    example: { peer: `/ip4/198.51.100.19/tcp/30333/p2p/${peer}` },
  },
  system_removeReservedPeer: { doc: 'Removes a reserved peer, given by its id.', example: { peer_id: peer } },
} satisfies MethodDocs;

export const syncStateDocs = {
  sync_state_genSyncSpec: {
    doc: "The chain specification with a starting state for light clients: the finalized block, BABE's epochs, GRANDPA's authorities. `raw` includes the genesis state, otherwise the original form is kept. Error 1 while block 0 is the finalized one, and without BABE or GRANDPA. Each epoch costs two to five header reads, more if slots were missed; a genesis state built by the runtime is built again.",
    example: { raw: true },
  },
} satisfies MethodDocs;
