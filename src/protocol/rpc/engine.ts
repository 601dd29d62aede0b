import { call, methods } from './define.ts';
import { boolean, hash, optional } from './params.ts';
import { justification } from './params-sdk.ts';
import type { engineResults } from './results/consensus.ts';

/** Sealing and finalizing on request. */
export const engine = methods<typeof engineResults>()({
  engine_createBlock: call({
    params: { create_empty: boolean(), finalize: boolean(), parent_hash: optional(hash()) },
    safety: 'unsafe',
  }),
  engine_finalizeBlock: call({
    params: { hash: hash(), justification: optional(justification()) },
    safety: 'unsafe',
  }),
});
