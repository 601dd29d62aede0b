import type { MethodDocs } from '../define.ts';
import { exampleChildKey } from '../params/params.ts';

const code = '0x3a636f6465';
const someHash = `0x${'91'.repeat(32)}`;

export const stateDocs = {
  state_call: {
    doc: 'Calls a runtime function on the state of a block; changes are dropped.',
    example: { name: 'Core_version', bytes: '0x' },
  },
  state_getKeys: {
    doc: 'All keys with a prefix.',
    deprecated: 'Unbounded; use state_getKeysPaged.',
    example: { prefix: '0x3a' },
  },
  state_getPairs: {
    doc: 'All keys with a prefix, with their values.',
    deprecated: 'Unbounded; use state_getKeysPaged and state_queryStorageAt.',
    example: { prefix: '0x3a' },
  },
  state_getKeysPaged: {
    doc: 'Up to `count` keys with a prefix that come after the start key, in byte order.',
    example: { prefix: '0x3a', count: 1 },
  },
  state_getStorage: { doc: 'The value of a key, or null.', example: { key: code } },
  state_getStorageHash: { doc: 'The hash of the value of a key, or null.', example: { key: code } },
  state_getStorageSize: {
    doc: 'The length of the value of a key. If there is none: null, or under polkadot-sdk the total length under that prefix.',
    example: { key: code },
  },
  state_getMetadata: { doc: "The metadata of a block's runtime, SCALE encoded.", example: {} },
  state_getRuntimeVersion: { doc: "The version of a block's runtime.", example: {} },
  state_queryStorage: {
    doc: 'The values of keys over a range of blocks: all at the first block, then the changes of each block.',
    example: { keys: [code], block: someHash },
  },
  state_queryStorageAt: {
    doc: 'The values of several keys at one block, as a list with one change set.',
    example: { keys: [code] },
  },
  state_getReadProof: {
    doc: 'The trie nodes that prove the values of the keys, or their absence.',
    example: { keys: [code] },
  },
  state_getChildReadProof: {
    doc: 'The trie nodes that prove values of a child trie, from the state root down.',
    example: { child_storage_key: exampleChildKey, keys: ['0x01'] },
  },
  state_callRecorded: {
    doc: 'A runtime call on the state below a block, with the proof size recorded as when the block is executed. Parachains only (error 4004).',
    example: { name: 'Core_version', bytes: '0x', block: someHash },
  },
  state_trieMigrationStatus: {
    doc: 'How many values are still stored in their trie node, although state version 1 stores them under their hash.',
    example: {},
  },
  state_traceBlock: {
    doc: 'Re-executes a block; returns its storage reads and writes, filtered by keys and methods (comma-separated prefixes).',
    example: { block: someHash, storage_keys: '26aa394e', methods: 'Put' },
  },
  state_subscribeStorage: {
    doc: 'The values of the keys, then the changes of every imported block; without keys, all changes.',
  },
  state_subscribeRuntimeVersion: { doc: 'The runtime version at the best block, then each change.' },
} satisfies MethodDocs;

export const childstateDocs = {
  childstate_getKeys: {
    doc: 'All keys of a child trie with a prefix.',
    deprecated: 'Unbounded; use childstate_getKeysPaged.',
    example: { child_storage_key: exampleChildKey, prefix: '0x' },
  },
  childstate_getKeysPaged: {
    doc: 'Up to `count` keys of a child trie with a prefix that come after the start key, in byte order.',
    example: { child_storage_key: exampleChildKey, count: 10 },
  },
  childstate_getStorage: {
    doc: 'The value of a key of a child trie, or null.',
    example: { child_storage_key: exampleChildKey, key: '0x01' },
  },
  childstate_getStorageEntries: {
    doc: 'The values of several keys of a child trie, in order; null for missing ones.',
    example: { child_storage_key: exampleChildKey, keys: ['0x01', '0x02'] },
  },
  childstate_getStorageHash: {
    doc: 'The hash of the value of a key of a child trie, or null.',
    example: { child_storage_key: exampleChildKey, key: '0x01' },
  },
  childstate_getStorageSize: {
    doc: 'The length of the value of a key of a child trie, or null.',
    example: { child_storage_key: exampleChildKey, key: '0x01' },
  },
} satisfies MethodDocs;
