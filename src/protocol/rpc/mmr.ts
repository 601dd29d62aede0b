import { mapItems, readMembers, wrongType } from './decoder-text.ts';
import { call, methods, type Param } from './define.ts';
import { type BytesInput, hash, optional, param, parseBytes, parseHash, parseU32, u32 } from './params.ts';
import type { mmrResults } from './results/consensus.ts';

/** Leaves of the range with their proof; `leaves` and `proof` are SCALE-encoded. */
export type LeavesProof = {
  readonly blockHash: string;
  readonly leaves: Uint8Array;
  readonly proof: Uint8Array;
};
type LeavesProofInput = {
  readonly blockHash: string;
  readonly leaves: BytesInput;
  readonly proof: BytesInput;
};

const leavesProof = (): Param<LeavesProof, LeavesProofInput> =>
  param('leavesProof', (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return wrongType(value, 'struct LeavesProof');
    const read = readMembers(value, { blockHash: parseHash, leaves: parseBytes, proof: parseBytes });
    return read as LeavesProof;
  });

const blockNumbers = (): Param<number[], readonly number[]> =>
  param('blockNumbers', (value) =>
    Array.isArray(value) ? mapItems(value, parseU32) : wrongType(value, 'a sequence'),
  );

/**
 * Merkle mountain range proofs. Available and listed if the runtime has `MmrApi`. Proofs are built from what
 * blocks write to the offchain index, so they need `offchainIndexing` from genesis on.
 */
export const mmr = methods<typeof mmrResults>()({
  mmr_root: call({ params: { at: optional(hash()) }, safety: 'safe', needsApi: 'MmrApi' }),
  mmr_generateProof: call({
    params: {
      block_numbers: blockNumbers(),
      best_known_block_number: optional(u32()),
      at: optional(hash()),
    },
    safety: 'safe',
    needsApi: 'MmrApi',
  }),
  mmr_verifyProof: call({ params: { proof: leavesProof() }, safety: 'safe', needsApi: 'MmrApi' }),
  mmr_verifyProofStateless: call({
    params: { mmr_root: hash(), proof: leavesProof() },
    safety: 'safe',
    needsApi: 'MmrApi',
  }),
});
