import type { MethodDocs } from '../define.ts';

const someHash = `0x${'91'.repeat(32)}`;
const proof = { blockHash: someHash, leaves: '0x00', proof: '0x00000000000000000000' };

export const babeDocs = {
  babe_epochAuthorship: {
    doc: 'The slots of this epoch that the keys in the keystore may claim, by the address of each key.',
    example: {},
  },
} satisfies MethodDocs;

export const beefyDocs = {
  beefy_getFinalizedHead: {
    doc: 'The last block finalized by the BEEFY voter; error 1 if no voter is running.',
    example: {},
  },
  beefy_subscribeJustifications: {
    doc: 'The finality proofs of the BEEFY voter; none if no voter is running.',
  },
} satisfies MethodDocs;

export const engineDocs = {
  engine_createBlock: {
    doc: 'Seals a block now, on the best block or a given parent. Under polkadot-sdk, only available in a seal mode, and returns the size of the storage proof.',
    example: { create_empty: true, finalize: false },
  },
  engine_finalizeBlock: {
    doc: 'Finalizes a block and its ancestors; a justification is stored with it, a GRANDPA one only if it proves the block final.',
    example: { hash: `0x${'91'.repeat(32)}` },
  },
} satisfies MethodDocs;

export const grandpaDocs = {
  grandpa_roundState: { doc: 'The rounds of the voter; an error if no voter is running.', example: {} },
  grandpa_proveFinality: {
    doc: 'Proof that the block at a height is final: the justification of the last block of its authority set and the headers up to it. For a range of blocks (two hashes, and the set id of the proof), a list with the proof for its end. Null if no proof is stored.',
    example: { block: 0 },
  },
  grandpa_subscribeJustifications: { doc: 'The justification of every block that is finalized by one.' },
} satisfies MethodDocs;

export const mmrDocs = {
  mmr_root: { doc: 'The root of the Merkle mountain range at a block.', example: {} },
  mmr_generateProof: {
    doc: 'Generates a proof of the leaves of the given blocks for the root at a block.',
    example: { block_numbers: [1] },
  },
  mmr_verifyProof: {
    doc: 'True if a proof is valid at the block it names; an error otherwise.',
    example: { proof },
  },
  mmr_verifyProofStateless: {
    doc: 'True if a proof is valid for a given root; an error otherwise.',
    example: { mmr_root: someHash, proof },
  },
} satisfies MethodDocs;

export const votersDocs = {
  dev_grandpa: {
    doc: 'The GRANDPA authorities, and for which of them this node has a key; pending changes of the set; the last block that votes finalized; the last double votes detected while this node votes. Null on a chain without GRANDPA.',
    example: {},
  },
} satisfies MethodDocs;
