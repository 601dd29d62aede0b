import { call, methods } from './define.ts';
import { bytes, hash, optional, text } from './params/params.ts';
import type { paymentResults, rpcResults, systemResults } from './results/system.ts';

/** Information about the node and its chain. */
export const system = methods<typeof systemResults>()({
  system_name: call({ params: {}, safety: 'safe' }),
  system_version: call({ params: {}, safety: 'safe' }),
  system_chain: call({ params: {}, safety: 'safe' }),
  system_chainType: call({ params: {}, safety: 'safe' }),
  system_properties: call({ params: {}, safety: 'safe' }),
  system_health: call({ params: {}, safety: 'safe' }),
  system_peers: call({ params: {}, safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' } }),
  system_nodeRoles: call({ params: {}, safety: 'safe' }),
  system_syncState: call({ params: {}, safety: 'safe' }),
  system_dryRun: call({
    params: { extrinsic: bytes(), at: optional(hash()) },
    safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' },
    aliases: ['system_dryRunAt'],
  }),
  system_addLogFilter: call({ params: { directives: text() }, safety: 'unsafe' }),
  system_resetLogFilter: call({ params: {}, safety: 'unsafe' }),
  system_accountNextIndex: call({
    params: { account: text('account') },
    safety: 'safe',
    aliases: ['account_nextIndex'],
  }),
});

/** The node's own RPC interface. */
export const rpc = methods<typeof rpcResults>()({
  rpc_methods: call({ params: {}, safety: 'safe' }),
  'rpc.discover': call({ params: {}, safety: 'safe' }),
});

/** Fees. */
export const payment = methods<typeof paymentResults>()({
  payment_queryInfo: call({ params: { encoded_xt: bytes(), at: optional(hash()) }, safety: 'safe' }),
  payment_queryFeeDetails: call({ params: { encoded_xt: bytes(), at: optional(hash()) }, safety: 'safe' }),
});
