import { call, methods } from './define.ts';
import { bytes, bytesList, hash, optional, u32 } from './params/params.ts';
import type { childstateResults } from './results/state.ts';

const value = () =>
  call({ params: { child_storage_key: bytes(), key: bytes(), hash: optional(hash()) }, safety: 'safe' });

/** Child tries. `child_storage_key` is `:child_storage:default:` and the child's name, as bytes. */
export const childstate = methods<typeof childstateResults>()({
  childstate_getKeys: call({
    params: { child_storage_key: bytes(), prefix: bytes(), hash: optional(hash()) },
    safety: { 'psp-6': 'unsafe', 'polkadot-sdk': 'safe' },
  }),
  childstate_getKeysPaged: call({
    params: {
      child_storage_key: bytes(),
      prefix: optional(bytes()),
      count: u32(),
      start_key: optional(bytes()),
      hash: optional(hash()),
    },
    safety: 'safe',
    aliases: ['childstate_getKeysPagedAt'],
  }),
  childstate_getStorage: value(),
  childstate_getStorageEntries: call({
    params: { child_storage_key: bytes(), keys: bytesList(), hash: optional(hash()) },
    safety: 'safe',
  }),
  childstate_getStorageHash: value(),
  childstate_getStorageSize: value(),
});
