import * as z from 'zod/mini';
import { call, subscription } from './define.ts';
import { hash, heights, optional } from './params.ts';
import { hashResult, headerResult, signedBlockResult } from './results.ts';

/** Blocks, headers and heads. */
export const chain = {
  chain_getHeader: call({
    doc: 'Header of a block, by default of the best block.',
    params: { hash: optional(hash()) },
    result: z.nullable(headerResult()),
    safety: 'safe',
    example: { args: {}, result: null },
  }),
  chain_getBlock: call({
    doc: 'Header, extrinsics and justifications of a block, by default of the best block.',
    params: { hash: optional(hash()) },
    result: z.nullable(signedBlockResult()),
    safety: 'safe',
    example: { args: {}, result: null },
  }),
  chain_getBlockHash: call({
    doc: 'Hash of the canonical block at a height or at each height of a list; by default of the best block.',
    params: { hash: optional(heights()) },
    result: z.union([z.nullable(hashResult()), z.array(z.nullable(hashResult()))]),
    safety: 'safe',
    aliases: ['chain_getHead'],
    isVariadic: true,
    example: { args: { hash: [0, '0x1'] }, result: [null, null] },
  }),
  chain_getFinalizedHead: call({
    doc: 'Hash of the last finalized block.',
    params: {},
    result: hashResult(),
    safety: 'safe',
    aliases: ['chain_getFinalisedHead'],
    example: { args: {}, result: `0x${'91'.repeat(32)}` },
  }),
  chain_subscribeAllHeads: subscription({
    doc: 'The best header, then every imported header of any fork; under psp-6 also every finalized one.',
    params: {},
    result: headerResult(),
    safety: 'safe',
    event: 'chain_allHead',
    unsubscribe: 'chain_unsubscribeAllHeads',
  }),
  chain_subscribeNewHeads: subscription({
    doc: 'The best header, then every imported header that becomes best.',
    params: {},
    result: headerResult(),
    safety: 'safe',
    aliases: ['subscribe_newHead', 'chain_subscribeNewHead'],
    event: 'chain_newHead',
    unsubscribe: 'chain_unsubscribeNewHeads',
    unsubscribeAliases: ['unsubscribe_newHead', 'chain_unsubscribeNewHead'],
  }),
  chain_subscribeFinalizedHeads: subscription({
    doc: 'The finalized header, then the last header of each finality event.',
    params: {},
    result: headerResult(),
    safety: 'safe',
    aliases: ['chain_subscribeFinalisedHeads'],
    event: 'chain_finalizedHead',
    unsubscribe: 'chain_unsubscribeFinalizedHeads',
    unsubscribeAliases: ['chain_unsubscribeFinalisedHeads'],
  }),
};
