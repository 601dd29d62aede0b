import * as z from 'zod/mini';
import { call } from './define.ts';
import { bytes, hash, optional, text } from './params.ts';
import { hexResult } from './results.ts';

/** Information about the node and its chain. */
export const system = {
  system_name: call({
    doc: 'The name of this implementation.',
    params: {},
    result: z.string(),
    safety: 'safe',
    example: { args: {}, result: 'Tabnode' },
  }),
  system_version: call({
    doc: 'The version of this implementation.',
    params: {},
    result: z.string(),
    safety: 'safe',
    example: { args: {}, result: '0.1.0' },
  }),
  system_chain: call({
    doc: 'The name of the chain.',
    params: {},
    result: z.string(),
    safety: 'safe',
    example: { args: {}, result: 'Development' },
  }),
  system_chainType: call({
    doc: 'The type of the chain; a custom one as its name (psp-6) or as `{"Custom":name}` (polkadot-sdk).',
    params: {},
    result: z.union([z.string(), z.object({ Custom: z.string() })]),
    safety: 'safe',
    example: { args: {}, result: 'Development' },
  }),
  system_properties: call({
    doc: "The chain specification's properties, unchanged.",
    params: {},
    result: z.record(z.string(), z.unknown()),
    safety: 'safe',
    example: { args: {}, result: { ss58Format: 42 } },
  }),
  system_health: call({
    doc: 'Number of peers, whether the node is syncing, whether it should have peers.',
    params: {},
    result: z.object({ peers: z.int(), isSyncing: z.boolean(), shouldHavePeers: z.boolean() }),
    safety: 'safe',
    example: { args: {}, result: { peers: 0, isSyncing: false, shouldHavePeers: false } },
  }),
  system_peers: call({
    doc: 'The connected peers: the nodes of the page or process to which this one is linked.',
    params: {},
    result: z.array(
      z.object({ peerId: z.string(), roles: z.string(), bestHash: z.string(), bestNumber: z.int() }),
    ),
    safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' },
    example: { args: {}, result: [] },
  }),
  system_nodeRoles: call({
    doc: 'The role of the node, as a list of one: Authority if it holds authoring keys, else Full.',
    params: {},
    result: z.array(z.enum(['Full', 'Authority'])),
    safety: 'safe',
    example: { args: {}, result: ['Authority'] },
  }),
  system_syncState: call({
    doc: 'The best block at startup, the current one, and the highest known.',
    params: {},
    result: z.object({ startingBlock: z.int(), currentBlock: z.int(), highestBlock: z.int() }),
    safety: 'safe',
    example: { args: {}, result: { startingBlock: 0, currentBlock: 1, highestBlock: 1 } },
  }),
  system_dryRun: call({
    doc: 'The result of applying an extrinsic to the state of a block, SCALE encoded; changes are dropped.',
    params: { extrinsic: bytes(), at: optional(hash()) },
    result: hexResult(),
    safety: { 'psp-6': 'safe', 'polkadot-sdk': 'unsafe' },
    aliases: ['system_dryRunAt'],
    example: { args: { extrinsic: '0x1004010014' }, result: '0x0000' },
  }),
  system_addLogFilter: call({
    doc: 'Adds comma-separated directives to the log filter: `level`, `target` or `target=level`, with the levels off, error, warn, info (initial), debug and trace. The filter applies to `dev_subscribeLogs` without a level, and to what runtimes log.',
    params: { directives: text() },
    result: z.null(),
    safety: 'unsafe',
    example: { args: { directives: 'runtime=debug' }, result: null },
  }),
  system_resetLogFilter: call({
    doc: 'Resets the log filter to `info`.',
    params: {},
    result: z.null(),
    safety: 'unsafe',
    example: { args: {}, result: null },
  }),
  system_accountNextIndex: call({
    doc: 'The next nonce of an account, including ready transactions in the pool.',
    params: { account: text('account') },
    result: z.union([z.int(), z.bigint()]),
    safety: 'safe',
    aliases: ['account_nextIndex'],
    example: { args: { account: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY' }, result: 0 },
  }),
};
