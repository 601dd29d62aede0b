import * as z from 'zod/mini';
import { mapItems, readMembers, wrongType } from './decoder-text.ts';
import { call, type Param } from './define.ts';
import { type BytesInput, hash, optional, param, parseBytes, parseHash, parseU32, u32 } from './params.ts';
import { hashResult, hexResult } from './results.ts';

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

const someHash = `0x${'91'.repeat(32)}`;
const proof = { blockHash: someHash, leaves: '0x00', proof: '0x00000000000000000000' };

/**
 * Merkle mountain range proofs. Available and listed if the runtime has `MmrApi`. Proofs are built from what
 * blocks write to the offchain index, so they need `offchainIndexing` from genesis on.
 */
export const mmr = {
  mmr_root: call({
    doc: 'The root of the Merkle mountain range at a block.',
    params: { at: optional(hash()) },
    result: hashResult(),
    safety: 'safe',
    needsApi: 'MmrApi',
    example: { args: {}, result: `0x${'5c'.repeat(32)}` },
  }),
  mmr_generateProof: call({
    doc: 'Generates a proof of the leaves of the given blocks for the root at a block.',
    params: {
      block_numbers: blockNumbers(),
      best_known_block_number: optional(u32()),
      at: optional(hash()),
    },
    result: z.object({ blockHash: hashResult(), leaves: hexResult(), proof: hexResult() }),
    safety: 'safe',
    needsApi: 'MmrApi',
    example: { args: { block_numbers: [1] }, result: proof },
  }),
  mmr_verifyProof: call({
    doc: 'True if a proof is valid at the block it names; an error otherwise.',
    params: { proof: leavesProof() },
    result: z.boolean(),
    safety: 'safe',
    needsApi: 'MmrApi',
    example: { args: { proof }, result: true },
  }),
  mmr_verifyProofStateless: call({
    doc: 'True if a proof is valid for a given root; an error otherwise.',
    params: { mmr_root: hash(), proof: leavesProof() },
    result: z.boolean(),
    safety: 'safe',
    needsApi: 'MmrApi',
    example: { args: { mmr_root: someHash, proof }, result: true },
  }),
};
