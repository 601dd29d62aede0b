import * as z from 'zod/mini';
import type { MethodResults } from '../define.ts';
import { hexResult } from './schemas.ts';

const peer = '12D3KooWDpJ7As7BWAwRMfu1VU2WCqNjvq387JEYKDBj4kx6nXTN';

export const bitswapResults = {
  bitswap_v1_get: { schema: hexResult(), example: '0x0102' },
} satisfies MethodResults;

export const networkResults = {
  system_localPeerId: { schema: z.string(), example: peer },
  system_localListenAddresses: { schema: z.array(z.string()), example: [] },
  system_networkState: {
    schema: z.object({
      peerId: z.string(),
      listenedAddresses: z.array(z.string()),
      externalAddresses: z.array(z.string()),
      connectedPeers: z.record(z.string(), z.unknown()),
      notConnectedPeers: z.record(z.string(), z.unknown()),
      peerset: z.unknown(),
    }),
    example: {
      peerId: peer,
      listenedAddresses: [],
      externalAddresses: [],
      connectedPeers: {},
      notConnectedPeers: {},
      peerset: null,
    },
  },
  system_reservedPeers: { schema: z.array(z.string()), example: [] },
  system_addReservedPeer: { schema: z.null(), example: null },
  system_removeReservedPeer: { schema: z.null(), example: null },
} satisfies MethodResults;

export const syncStateResults = {
  sync_state_genSyncSpec: {
    schema: z.record(z.string(), z.unknown()),
    example: {
      name: 'Development',
      id: 'dev',
      lightSyncState: {
        finalizedBlockHeader: '0x91',
        babeEpochChanges: '0x04',
        babeFinalizedBlockWeight: 1,
        grandpaAuthoritySet: '0x04',
      },
    },
  },
} satisfies MethodResults;
