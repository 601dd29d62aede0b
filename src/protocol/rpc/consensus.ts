import { readMembers, wrongType } from './decoder-text.ts';
import { call, methods, type Param, subscription } from './define.ts';
import {
  type BytesInput,
  boolean,
  hash,
  heightOrHash,
  optional,
  param,
  parseBytes,
  parseHash,
  parseU32,
  u32,
  u64,
} from './params/params.ts';
import { justification } from './params/sdk.ts';
import type {
  babeResults,
  beefyResults,
  engineResults,
  grandpaResults,
  mmrResults,
  votersResults,
} from './results/consensus.ts';

/** The node's own BABE slots. */
export const babe = methods<typeof babeResults>()({
  babe_epochAuthorship: call({ params: {}, safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' } }),
});

/**
 * The node's BEEFY voter. Available and listed if the runtime has `BeefyApi`. This node runs no such voter
 * and responds like a native node without one.
 */
export const beefy = methods<typeof beefyResults>()({
  beefy_getFinalizedHead: call({ params: {}, safety: 'safe', needsApi: 'BeefyApi' }),
  beefy_subscribeJustifications: subscription({
    params: {},
    safety: 'safe',
    needsApi: 'BeefyApi',
    event: 'beefy_justifications',
    unsubscribe: 'beefy_unsubscribeJustifications',
  }),
});

/** Finality by GRANDPA. */
export const grandpa = methods<typeof grandpaResults>()({
  grandpa_roundState: call({ params: {}, safety: 'safe' }),
  grandpa_proveFinality: call({
    params: { block: heightOrHash(), end: optional(hash()), set_id: optional(u64()) },
    safety: 'safe',
  }),
  grandpa_subscribeJustifications: subscription({
    params: {},
    safety: 'safe',
    event: 'grandpa_justifications',
    unsubscribe: 'grandpa_unsubscribeJustifications',
  }),
});

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
    Array.isArray(value) ? value.map(parseU32) : wrongType(value, 'a sequence'),
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

/** Who decides on finality. */
export const voters = methods<typeof votersResults>()({
  dev_grandpa: call({ params: {}, safety: 'unsafe' }),
});

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
