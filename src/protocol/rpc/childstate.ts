import * as z from 'zod/mini';
import { call } from './define.ts';
import { bytes, bytesList, exampleChildKey, hash, optional, u32 } from './params.ts';
import { hashResult, hexResult } from './results.ts';

/** Child tries. `child_storage_key` is `:child_storage:default:` and the child's name, as bytes. */
export const childstate = {
  childstate_getKeys: call({
    doc: 'All keys of a child trie with a prefix.',
    params: { child_storage_key: bytes(), prefix: bytes(), hash: optional(hash()) },
    result: z.array(hexResult()),
    safety: { 'psp-6': 'unsafe', 'polkadot-sdk': 'safe' },
    deprecated: 'Unbounded; use childstate_getKeysPaged.',
    example: { args: { child_storage_key: exampleChildKey, prefix: '0x' }, result: [] },
  }),
  childstate_getKeysPaged: call({
    doc: 'Up to `count` keys of a child trie with a prefix that come after the start key, in byte order.',
    params: {
      child_storage_key: bytes(),
      prefix: optional(bytes()),
      count: u32(),
      start_key: optional(bytes()),
      hash: optional(hash()),
    },
    result: z.array(hexResult()),
    safety: 'safe',
    aliases: ['childstate_getKeysPagedAt'],
    example: { args: { child_storage_key: exampleChildKey, count: 10 }, result: [] },
  }),
  childstate_getStorage: call({
    doc: 'The value of a key of a child trie, or null.',
    params: { child_storage_key: bytes(), key: bytes(), hash: optional(hash()) },
    result: z.nullable(hexResult()),
    safety: 'safe',
    example: { args: { child_storage_key: exampleChildKey, key: '0x01' }, result: null },
  }),
  childstate_getStorageEntries: call({
    doc: 'The values of several keys of a child trie, in order; null for missing ones.',
    params: { child_storage_key: bytes(), keys: bytesList(), hash: optional(hash()) },
    result: z.array(z.nullable(hexResult())),
    safety: 'safe',
    example: { args: { child_storage_key: exampleChildKey, keys: ['0x01', '0x02'] }, result: [null, null] },
  }),
  childstate_getStorageHash: call({
    doc: 'The hash of the value of a key of a child trie, or null.',
    params: { child_storage_key: bytes(), key: bytes(), hash: optional(hash()) },
    result: z.nullable(hashResult()),
    safety: 'safe',
    example: { args: { child_storage_key: exampleChildKey, key: '0x01' }, result: null },
  }),
  childstate_getStorageSize: call({
    doc: 'The length of the value of a key of a child trie, or null.',
    params: { child_storage_key: bytes(), key: bytes(), hash: optional(hash()) },
    result: z.nullable(z.int()),
    safety: 'safe',
    example: { args: { child_storage_key: exampleChildKey, key: '0x01' }, result: null },
  }),
};
