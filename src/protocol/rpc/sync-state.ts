import * as z from 'zod/mini';
import { call } from './define.ts';
import { boolean } from './params.ts';

/** A start for light clients (RPC.md §1.13). */
export const syncState = {
  sync_state_genSyncSpec: call({
    doc: 'The chain specification with a finalized state to start from; an error, since this node keeps no tree of BABE epochs.',
    params: { raw: boolean() },
    result: z.record(z.string(), z.unknown()),
    safety: 'safe',
    example: { args: { raw: true }, result: { name: 'Development', id: 'dev', lightSyncState: {} } },
  }),
};
