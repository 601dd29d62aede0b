import * as z from 'zod/mini';
import { call, subscription } from './define.ts';
import { bytes, bytesList, exampleChildKey, hash, optional, text, u32 } from './params.ts';
import { changeSetResult, hashResult, hexResult, readProofResult, runtimeVersionResult } from './results.ts';

const code = '0x3a636f6465';
const someHash = `0x${'91'.repeat(32)}`;

/** Storage and runtime calls. */
export const state = {
  state_call: call({
    doc: 'Calls a runtime function on the state of a block; changes are dropped.',
    params: { name: text(), bytes: bytes(), hash: optional(hash()) },
    result: hexResult(),
    safety: 'safe',
    aliases: ['state_callAt'],
    example: { args: { name: 'Core_version', bytes: '0x' }, result: '0x00' },
  }),
  state_getKeys: call({
    doc: 'All keys with a prefix.',
    params: { prefix: bytes(), hash: optional(hash()) },
    result: z.array(hexResult()),
    safety: 'safe',
    deprecated: 'Unbounded; use state_getKeysPaged.',
    example: { args: { prefix: '0x3a' }, result: [code] },
  }),
  state_getPairs: call({
    doc: 'All keys with a prefix, with their values.',
    params: { prefix: bytes(), hash: optional(hash()) },
    result: z.array(z.tuple([hexResult(), hexResult()])),
    safety: 'unsafe',
    deprecated: 'Unbounded; use state_getKeysPaged and state_queryStorageAt.',
    example: { args: { prefix: '0x3a' }, result: [[code, '0x00']] },
  }),
  state_getKeysPaged: call({
    doc: 'Up to `count` keys with a prefix that come after the start key, in byte order.',
    params: { prefix: optional(bytes()), count: u32(), start_key: optional(bytes()), hash: optional(hash()) },
    result: z.array(hexResult()),
    safety: { 'psp-6': 'unsafe', 'polkadot-sdk': 'safe' },
    aliases: ['state_getKeysPagedAt'],
    example: { args: { prefix: '0x3a', count: 1 }, result: [code] },
  }),
  state_getStorage: call({
    doc: 'The value of a key, or null.',
    params: { key: bytes(), hash: optional(hash()) },
    result: z.nullable(hexResult()),
    safety: 'safe',
    aliases: ['state_getStorageAt'],
    example: { args: { key: code }, result: '0x00' },
  }),
  state_getStorageHash: call({
    doc: 'The hash of the value of a key, or null.',
    params: { key: bytes(), hash: optional(hash()) },
    result: z.nullable(hashResult()),
    safety: 'safe',
    aliases: ['state_getStorageHashAt'],
    example: { args: { key: code }, result: null },
  }),
  state_getStorageSize: call({
    doc: 'The length of the value of a key. If there is none: null, or under polkadot-sdk the total length under that prefix.',
    params: { key: bytes(), hash: optional(hash()) },
    result: z.nullable(z.int()),
    safety: 'safe',
    aliases: ['state_getStorageSizeAt'],
    example: { args: { key: code }, result: 1 },
  }),
  state_getMetadata: call({
    doc: "The metadata of a block's runtime, SCALE encoded.",
    params: { hash: optional(hash()) },
    result: hexResult(),
    safety: 'safe',
    example: { args: {}, result: '0x6d657461' },
  }),
  state_getRuntimeVersion: call({
    doc: "The version of a block's runtime.",
    params: { hash: optional(hash()) },
    result: runtimeVersionResult(),
    safety: 'safe',
    aliases: ['chain_getRuntimeVersion'],
    example: {
      args: {},
      result: {
        specName: 'tabnode',
        implName: 'tabnode',
        authoringVersion: 1,
        specVersion: 1,
        implVersion: 1,
        apis: [['0xdf6acb689907609b', 5]],
        transactionVersion: 1,
        systemVersion: 1,
        stateVersion: 1,
      },
    },
  }),
  state_queryStorage: call({
    doc: 'The values of keys over a range of blocks: all at the first block, then the changes of each block.',
    params: { keys: bytesList(), block: hash(), hash: optional(hash()) },
    result: z.array(changeSetResult()),
    safety: 'unsafe',
    example: {
      args: { keys: [code], block: someHash },
      result: [{ block: someHash, changes: [[code, '0x00']] }],
    },
  }),
  state_queryStorageAt: call({
    doc: 'The values of several keys at one block, as a list with one change set.',
    params: { keys: bytesList(), at: optional(hash()) },
    result: z.array(changeSetResult()),
    safety: 'safe',
    example: { args: { keys: [code] }, result: [{ block: someHash, changes: [[code, null]] }] },
  }),
  state_getReadProof: call({
    doc: 'The trie nodes that prove the values of the keys, or their absence.',
    params: { keys: bytesList(), hash: optional(hash()) },
    result: readProofResult(),
    safety: 'safe',
    example: { args: { keys: [code] }, result: { at: someHash, proof: ['0x00'] } },
  }),
  state_getChildReadProof: call({
    doc: 'The trie nodes that prove values of a child trie, from the state root down.',
    params: { child_storage_key: bytes(), keys: bytesList(), hash: optional(hash()) },
    result: readProofResult(),
    safety: 'safe',
    example: {
      args: { child_storage_key: exampleChildKey, keys: ['0x01'] },
      result: { at: someHash, proof: ['0x00'] },
    },
  }),
  state_callRecorded: call({
    doc: 'A runtime call that records the proof size; not available here (error 4004).',
    params: { name: text(), bytes: bytes(), block: hash() },
    result: hexResult(),
    safety: 'unsafe',
    example: { args: { name: 'Core_version', bytes: '0x', block: someHash }, result: '0x' },
  }),
  state_trieMigrationStatus: call({
    doc: 'How many values are still stored in their trie node, although state version 1 stores them under their hash.',
    params: { at: optional(hash()) },
    result: z.object({
      topRemainingToMigrate: z.int(),
      childRemainingToMigrate: z.int(),
      totalTop: z.int(),
      totalChild: z.int(),
    }),
    safety: 'unsafe',
    example: {
      args: {},
      result: { topRemainingToMigrate: 0, childRemainingToMigrate: 0, totalTop: 217, totalChild: 13 },
    },
  }),
  state_traceBlock: call({
    doc: 'Re-executes a block; returns its storage reads and writes, filtered by keys and methods (comma-separated prefixes).',
    params: {
      block: hash(),
      targets: optional(text()),
      storage_keys: optional(text()),
      methods: optional(text()),
    },
    result: z.object({
      blockTrace: z.object({
        blockHash: z.string(),
        parentHash: z.string(),
        tracingTargets: z.string(),
        storageKeys: z.string(),
        methods: z.string(),
        spans: z.array(
          z.object({
            id: z.int(),
            parentId: z.nullable(z.int()),
            name: z.string(),
            target: z.string(),
            wasm: z.boolean(),
          }),
        ),
        events: z.array(
          z.object({
            target: z.string(),
            data: z.object({ stringValues: z.record(z.string(), z.string()) }),
            parentId: z.nullable(z.int()),
          }),
        ),
      }),
    }),
    safety: 'unsafe',
    example: {
      args: { block: someHash, storage_keys: '26aa394e', methods: 'Put' },
      result: {
        blockTrace: {
          blockHash: '91'.repeat(32),
          parentHash: '90'.repeat(32),
          tracingTargets: 'pallet,frame,state',
          storageKeys: '26aa394e',
          methods: 'Put',
          spans: [],
          events: [],
        },
      },
    },
  }),
  state_subscribeStorage: subscription({
    doc: 'The values of the keys, then the changes of every imported block; without keys, all changes.',
    params: { keys: optional(bytesList()) },
    result: changeSetResult(),
    safety: 'safe',
    sdkUnsafeWithout: 'keys',
    event: 'state_storage',
    unsubscribe: 'state_unsubscribeStorage',
  }),
  state_subscribeRuntimeVersion: subscription({
    doc: 'The runtime version at the best block, then each change.',
    params: {},
    result: runtimeVersionResult(),
    safety: 'safe',
    aliases: ['chain_subscribeRuntimeVersion'],
    event: 'state_runtimeVersion',
    unsubscribe: 'state_unsubscribeRuntimeVersion',
    unsubscribeAliases: ['chain_unsubscribeRuntimeVersion'],
  }),
};
