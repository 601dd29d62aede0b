import * as z from 'zod/mini';
import { call } from './define.ts';
import { hashResult } from './results.ts';

/** The chain specification, as defined by the new JSON-RPC specification. */
export const chainSpec = {
  chainSpec_v1_chainName: call({
    doc: 'The name of the chain.',
    params: {},
    result: z.string(),
    safety: 'safe',
    example: { args: {}, result: 'Development' },
  }),
  chainSpec_v1_genesisHash: call({
    doc: 'The hash of the genesis block.',
    params: {},
    result: hashResult(),
    safety: 'safe',
    example: { args: {}, result: `0x${'91'.repeat(32)}` },
  }),
  chainSpec_v1_properties: call({
    doc: "The chain specification's properties, unchanged.",
    params: {},
    result: z.unknown(),
    safety: 'safe',
    example: { args: {}, result: { ss58Format: 42 } },
  }),
};
