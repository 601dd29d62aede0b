import * as z from 'zod/mini';
import type { Connection } from '../../src/connection.ts';
import {
  block,
  changeSet,
  hash,
  header,
  health,
  hex,
  nodeRole,
  peerInfo,
  readProof,
  runtimeVersion,
  syncState,
  text,
  u64,
} from './schemas.ts';
import { justifyBlock, sealBlock } from './world.ts';

/** Values that the calls of a run may refer to. */
export type Facts = {
  readonly best: string;
  readonly genesis: string;
  readonly extrinsic: string;
};

export const alice = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
export const aliceKey = '0xd43593c715fdd31c61141abd04a99fd6822c8558854ccde39a5684e7a56da27d';
export const code = '0x3a636f6465';
const childKey = '0x3a6368696c645f73746f726167653a64656661756c743a0102';

const slots = z.array(u64);
const nothing = z.null();

export type Call = readonly [params: readonly unknown[], result: z.ZodMiniType];
type MakeCalls = (facts: Facts) => readonly Call[];

/** Methods with a response. For each: calls that a node must accept, and the type of the result. */
export const calls: Readonly<Record<string, MakeCalls>> = {
  rpc_methods: () => [[[], z.object({ methods: z.array(text) })]],
  system_name: () => [[[], text]],
  system_version: () => [[[], text.check(z.regex(/^\d+\.\d+\.\d+/))]],
  system_chain: () => [[[], z.literal('Development')]],
  system_chainType: () => [[[], text]],
  system_properties: () => [[[], z.record(text, z.unknown())]],
  system_health: () => [[[], health]],
  system_localPeerId: () => [[[], text.check(z.regex(/^[1-9A-HJ-NP-Za-km-z]+$/))]],
  system_localListenAddresses: () => [[[], z.array(text)]],
  system_peers: () => [[[], z.array(peerInfo)]],
  system_networkState: () => [[[], z.object({ peerId: text })]],
  system_nodeRoles: () => [[[], z.array(nodeRole)]],
  system_syncState: () => [[[], syncState]],
  system_accountNextIndex: () => [[[alice], u64]],
  system_dryRun: ({ extrinsic, best }) => [
    [[extrinsic], z.literal('0x0000')],
    [[extrinsic, best], hex],
    [[extrinsic, null], hex],
  ],
  babe_epochAuthorship: () => [
    [[], z.record(text, z.object({ primary: slots, secondary: slots, secondary_vrf: slots }))],
  ],
  author_pendingExtrinsics: () => [[[], z.array(hex)]],
  author_rotateKeys: () => [[[], hex]],
  author_hasSessionKeys: () => [[[`0x${'11'.repeat(64)}`], z.literal(false)]],
  author_hasKey: () => [
    [[aliceKey, 'babe'], z.literal(true)],
    [[`0x${'11'.repeat(32)}`, 'babe'], z.literal(false)],
  ],
  chain_getHeader: ({ best, genesis }) => [
    [[], header],
    [[null], header],
    [[best], header],
    [[genesis], header],
    [[`0x${'11'.repeat(32)}`], nothing],
  ],
  chain_getBlock: ({ best }) => [
    [[], block],
    [[best], block],
    [[`0x${'11'.repeat(32)}`], nothing],
  ],
  chain_getBlockHash: ({ best, genesis }) => [
    [[], z.literal(best)],
    [[0], z.literal(genesis)],
    [['0x0'], z.literal(genesis)],
    [[[0, '0x1', 4_000_000]], z.tuple([z.literal(genesis), hash, nothing])],
    [[4_000_000], nothing],
  ],
  chain_getFinalizedHead: () => [[[], hash]],
  offchain_localStorageSet: () => [
    [['PERSISTENT', '0x01', '0x0203'], nothing],
    [['LOCAL', '0x01', '0x04'], nothing],
  ],
  offchain_localStorageGet: () => [[['PERSISTENT', '0xffee'], nothing]],
  state_call: ({ best }) => [
    [['Core_version', '0x'], hex],
    [['Core_version', '0x', best], hex],
  ],
  state_getPairs: ({ best }) => [
    [[code.slice(0, 10)], z.array(z.tuple([hex, hex]))],
    [['0x26aa394eea5630e07c48ae0c9558cef7', best], z.array(z.tuple([hex, hex]))],
  ],
  state_getKeysPaged: ({ best }) => [
    [['0x', 3], z.array(hex).check(z.length(3))],
    [[null, 3, null, best], z.array(hex).check(z.length(3))],
    [['0x3a', 5, code], z.array(hex)],
  ],
  state_getStorage: ({ best }) => [
    [[code], hex],
    [[code, best], hex],
    [['0xffff'], nothing],
  ],
  state_getStorageHash: ({ best }) => [
    [[code, best], hash],
    [['0xffff'], nothing],
  ],
  state_getStorageSize: ({ best }) => [
    [[code, best], u64],
    [['0xffff'], nothing],
  ],
  state_getMetadata: ({ best }) => [
    [[], hex],
    [[best], hex],
  ],
  state_getRuntimeVersion: ({ best }) => [
    [[], runtimeVersion],
    [[best], runtimeVersion],
  ],
  state_queryStorage: ({ genesis, best }) => [
    [[[code, '0xffff'], genesis], z.array(changeSet)],
    [[[code], genesis, best], z.array(changeSet)],
  ],
  state_getReadProof: ({ best }) => [
    [[[code]], readProof],
    [[[code, '0xffff'], best], readProof],
  ],
  childstate_getKeys: ({ best }) => [
    [[childKey, ''], z.array(hex)],
    [[childKey, '0x', best], z.array(hex)],
  ],
  childstate_getStorage: ({ best }) => [[[childKey, '0x01', best], nothing]],
  childstate_getStorageHash: ({ best }) => [[[childKey, '0x01', best], nothing]],
  childstate_getStorageSize: ({ best }) => [[[childKey, '0x01', best], nothing]],
  engine_createBlock: () => [[[true, false], z.object({ hash })]],
  engine_finalizeBlock: ({ best }) => [[[best], z.boolean()]],
  payment_queryInfo: ({ extrinsic, best }) => [
    [[extrinsic], u64],
    [[extrinsic, best], u64],
  ],
  contracts_call: () => [
    [
      [{ origin: alice, dest: alice, value: 0, gasLimit: null, inputData: '0x' }],
      z.object({ result: z.unknown() }),
    ],
  ],
  contracts_rentProjection: () => [[[alice], nothing]],
};

/** A subscription: how to open it, how to trigger an item, and what the item is. */
type Stream = {
  readonly method: string;
  readonly unsubscribe: string;
  readonly params?: readonly unknown[];
  readonly payload: z.ZodMiniType;
  /** Triggers another item, if the first one is sent without a trigger. */
  readonly speak: (connection: Connection) => Promise<unknown>;
};

/** Keyed by the name of their notifications. */
export const streams: Readonly<Record<string, Stream>> = {
  chain_allHead: {
    method: 'chain_subscribeAllHeads',
    unsubscribe: 'chain_unsubscribeAllHeads',
    payload: header,
    speak: (connection) => sealBlock(connection),
  },
  chain_newHead: {
    method: 'chain_subscribeNewHeads',
    unsubscribe: 'chain_unsubscribeNewHeads',
    payload: header,
    speak: (connection) => sealBlock(connection),
  },
  chain_finalizedHead: {
    method: 'chain_subscribeFinalizedHeads',
    unsubscribe: 'chain_unsubscribeFinalizedHeads',
    payload: header,
    speak: (connection) => sealBlock(connection, { finalize: true }),
  },
  state_runtimeVersion: {
    method: 'state_subscribeRuntimeVersion',
    unsubscribe: 'state_unsubscribeRuntimeVersion',
    payload: runtimeVersion,
    speak: async () => undefined,
  },
  state_storage: {
    method: 'state_subscribeStorage',
    unsubscribe: 'state_unsubscribeStorage',
    // System.Number, which changes with every block.
    params: [['0x26aa394eea5630e07c48ae0c9558cef702a5c1b19ab7a04f536c519aca4983ac']],
    payload: changeSet,
    speak: (connection) => sealBlock(connection),
  },
  grandpa_justifications: {
    method: 'grandpa_subscribeJustifications',
    unsubscribe: 'grandpa_unsubscribeJustifications',
    payload: hex,
    speak: async (connection) => {
      await sealBlock(connection, { finalize: true });
      await justifyBlock(connection, await sealBlock(connection));
    },
  },
};
