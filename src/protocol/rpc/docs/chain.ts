import type { MethodDocs } from '../define.ts';

export const chainDocs = {
  chain_getHeader: { doc: 'Header of a block, by default of the best block.', example: {} },
  chain_getBlock: {
    doc: 'Header, extrinsics and justifications of a block, by default of the best block.',
    example: {},
  },
  chain_getBlockHash: {
    doc: 'Hash of the canonical block at a height or at each height of a list; by default of the best block.',
    example: { hash: [0, '0x1'] },
  },
  chain_getFinalizedHead: { doc: 'Hash of the last finalized block.', example: {} },
  chain_subscribeAllHeads: {
    doc: 'The best header, then every imported header of any fork; under psp-6 also every finalized one.',
  },
  chain_subscribeNewHeads: { doc: 'The best header, then every imported header that becomes best.' },
  chain_subscribeFinalizedHeads: {
    doc: 'The finalized header, then the last header of each finality event.',
  },
} satisfies MethodDocs;

export const chainSpecDocs = {
  chainSpec_v1_chainName: { doc: 'The name of the chain.', example: {} },
  chainSpec_v1_genesisHash: { doc: 'The hash of the genesis block.', example: {} },
  chainSpec_v1_properties: { doc: "The chain specification's properties, unchanged.", example: {} },
} satisfies MethodDocs;

export const blockStatsDocs = {
  dev_getBlockStats: {
    doc: 'Re-executes a block; returns its size and the size of the proof of all its reads. Null for an unknown block.',
    example: { block_hash: `0x${'91'.repeat(32)}` },
  },
} satisfies MethodDocs;
