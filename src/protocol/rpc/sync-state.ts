import * as z from 'zod/mini';
import { call } from './define.ts';
import { boolean } from './params.ts';

/** Starting state for light clients. */
export const syncState = {
  sync_state_genSyncSpec: call({
    doc: "The chain specification with a starting state for light clients: the finalized block, BABE's epochs, GRANDPA's authorities. `raw` includes the genesis state, otherwise the original form is kept. Error 1 while block 0 is the finalized one, and without BABE or GRANDPA. Each epoch costs two to five header reads, more if slots were missed; a genesis state built by the runtime is built again.",
    params: { raw: boolean() },
    result: z.record(z.string(), z.unknown()),
    safety: 'safe',
    example: {
      args: { raw: true },
      result: {
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
  }),
};
