import * as z from 'zod/mini';
import { call } from './define.ts';
import { text } from './params.ts';

const peer = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN';

/** The node as a network peer. It does not listen until it joins a network. */
export const network = {
  system_localPeerId: call({
    doc: "The node's own peer id in base58; it is stored with the chain.",
    params: {},
    result: z.string(),
    safety: 'safe',
    example: { args: {}, result: peer },
  }),
  system_localListenAddresses: call({
    doc: 'The addresses the node listens on, each ending in its peer id.',
    params: {},
    result: z.array(z.string()),
    safety: 'safe',
    example: { args: {}, result: [] },
  }),
  system_networkState: call({
    doc: 'The state of the network; the format may change.',
    params: {},
    result: z.object({
      peerId: z.string(),
      listenedAddresses: z.array(z.string()),
      externalAddresses: z.array(z.string()),
      connectedPeers: z.record(z.string(), z.unknown()),
      notConnectedPeers: z.record(z.string(), z.unknown()),
      peerset: z.unknown(),
    }),
    safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' },
    aliases: ['system_unstable_networkState'],
    example: {
      args: {},
      result: {
        peerId: peer,
        listenedAddresses: [],
        externalAddresses: [],
        connectedPeers: {},
        notConnectedPeers: {},
        peerset: null,
      },
    },
  }),
  system_reservedPeers: call({
    doc: 'The ids of the reserved peers.',
    params: {},
    result: z.array(z.string()),
    safety: 'safe',
    example: { args: {}, result: [] },
  }),
  system_addReservedPeer: call({
    doc: 'Adds a reserved peer, given by an address that ends in `/p2p/` and its id.',
    params: { peer: text() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { peer: `/ip4/198.51.100.19/tcp/30333/p2p/${peer}` }, result: null },
  }),
  system_removeReservedPeer: call({
    doc: 'Removes a reserved peer, given by its id.',
    params: { peer_id: text() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { peer_id: peer }, result: null },
  }),
};
