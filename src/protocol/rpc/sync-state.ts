import * as z from 'zod/mini';
import { call } from './define.ts';
import { boolean } from './params.ts';

/** A start for light clients. */
export const syncState = {
  sync_state_genSyncSpec: call({
    doc: "The chain specification with a state for light clients to start from: the finalized block, BABE's epochs, GRANDPA's authorities. `raw` writes the genesis state, else the form it was given in. Error 1 while block 0 is the finalized one, and without BABE or GRANDPA. Each epoch in it costs two to five headers, more where slots were missed; a genesis state that the runtime made is made once more.",
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
