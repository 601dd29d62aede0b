import { call, methods, subscription } from './define.ts';
import { hash, heights, optional } from './params/params.ts';
import type { blockStatsResults, chainResults, chainSpecResults } from './results/chain.ts';

/** Blocks, headers and heads. */
export const chain = methods<typeof chainResults>()({
  chain_getHeader: call({ params: { hash: optional(hash()) }, safety: 'safe' }),
  chain_getBlock: call({ params: { hash: optional(hash()) }, safety: 'safe' }),
  chain_getBlockHash: call({
    params: { hash: optional(heights()) },
    safety: 'safe',
    aliases: ['chain_getHead'],
    isVariadic: true,
  }),
  chain_getFinalizedHead: call({ params: {}, safety: 'safe', aliases: ['chain_getFinalisedHead'] }),
  chain_subscribeAllHeads: subscription({
    params: {},
    safety: 'safe',
    event: 'chain_allHead',
    unsubscribe: 'chain_unsubscribeAllHeads',
  }),
  chain_subscribeNewHeads: subscription({
    params: {},
    safety: 'safe',
    aliases: ['subscribe_newHead', 'chain_subscribeNewHead'],
    event: 'chain_newHead',
    unsubscribe: 'chain_unsubscribeNewHeads',
    unsubscribeAliases: ['unsubscribe_newHead', 'chain_unsubscribeNewHead'],
  }),
  chain_subscribeFinalizedHeads: subscription({
    params: {},
    safety: 'safe',
    aliases: ['chain_subscribeFinalisedHeads'],
    event: 'chain_finalizedHead',
    unsubscribe: 'chain_unsubscribeFinalizedHeads',
    unsubscribeAliases: ['chain_unsubscribeFinalisedHeads'],
  }),
});

/** What a block costs to prove. */
export const blockStats = methods<typeof blockStatsResults>()({
  dev_getBlockStats: call({ params: { block_hash: hash() }, safety: 'unsafe' }),
});

/** The chain specification, as defined by the new JSON-RPC specification. */
export const chainSpec = methods<typeof chainSpecResults>()({
  chainSpec_v1_chainName: call({ params: {}, safety: 'safe' }),
  chainSpec_v1_genesisHash: call({ params: {}, safety: 'safe' }),
  chainSpec_v1_properties: call({ params: {}, safety: 'safe' }),
});
