import * as z from 'zod/mini';
import { call } from './define.ts';
import { boolean, hash, optional } from './params.ts';
import { justification } from './params-sdk.ts';
import { hashResult } from './results.ts';

/** Sealing and finalizing on request. */
export const engine = {
  engine_createBlock: call({
    doc: 'Seals a block now, on the best block or a given parent. Under polkadot-sdk, only available in a seal mode, and returns the size of the storage proof.',
    params: { create_empty: boolean(), finalize: boolean(), parent_hash: optional(hash()) },
    result: z.object({
      hash: hashResult(),
      aux: z.object({
        header_only: z.boolean(),
        clear_justification_requests: z.boolean(),
        needs_justification: z.boolean(),
        bad_justification: z.boolean(),
        is_new_best: z.boolean(),
      }),
      proof_size: z.int(),
    }),
    safety: 'unsafe',
    example: {
      args: { create_empty: true, finalize: false },
      result: {
        hash: `0x${'91'.repeat(32)}`,
        aux: {
          header_only: false,
          clear_justification_requests: false,
          needs_justification: false,
          bad_justification: false,
          is_new_best: true,
        },
        proof_size: 0,
      },
    },
  }),
  engine_finalizeBlock: call({
    doc: 'Finalizes a block and its ancestors; a justification is stored with it, a GRANDPA one only if it proves the block final.',
    params: { hash: hash(), justification: optional(justification()) },
    result: z.boolean(),
    safety: 'unsafe',
    example: { args: { hash: `0x${'91'.repeat(32)}` }, result: true },
  }),
};
