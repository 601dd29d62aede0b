import { call, methods, subscription } from './define.ts';
import { bytes, bytesList, hash, optional, text, u32 } from './params/params.ts';
import type { stateResults } from './results/state.ts';

/** Storage and runtime calls. */
export const state = methods<typeof stateResults>()({
  state_call: call({
    params: { name: text(), bytes: bytes(), hash: optional(hash()) },
    safety: 'safe',
    aliases: ['state_callAt'],
  }),
  state_getKeys: call({ params: { prefix: bytes(), hash: optional(hash()) }, safety: 'safe' }),
  state_getPairs: call({ params: { prefix: bytes(), hash: optional(hash()) }, safety: 'unsafe' }),
  state_getKeysPaged: call({
    params: { prefix: optional(bytes()), count: u32(), start_key: optional(bytes()), hash: optional(hash()) },
    safety: { 'psp-6': 'unsafe', 'polkadot-sdk': 'safe' },
    aliases: ['state_getKeysPagedAt'],
  }),
  state_getStorage: call({
    params: { key: bytes(), hash: optional(hash()) },
    safety: 'safe',
    aliases: ['state_getStorageAt'],
  }),
  state_getStorageHash: call({
    params: { key: bytes(), hash: optional(hash()) },
    safety: 'safe',
    aliases: ['state_getStorageHashAt'],
  }),
  state_getStorageSize: call({
    params: { key: bytes(), hash: optional(hash()) },
    safety: 'safe',
    aliases: ['state_getStorageSizeAt'],
  }),
  state_getMetadata: call({ params: { hash: optional(hash()) }, safety: 'safe' }),
  state_getRuntimeVersion: call({
    params: { hash: optional(hash()) },
    safety: 'safe',
    aliases: ['chain_getRuntimeVersion'],
  }),
  state_queryStorage: call({
    params: { keys: bytesList(), block: hash(), hash: optional(hash()) },
    safety: 'unsafe',
  }),
  state_queryStorageAt: call({ params: { keys: bytesList(), at: optional(hash()) }, safety: 'safe' }),
  state_getReadProof: call({ params: { keys: bytesList(), hash: optional(hash()) }, safety: 'safe' }),
  state_getChildReadProof: call({
    params: { child_storage_key: bytes(), keys: bytesList(), hash: optional(hash()) },
    safety: 'safe',
  }),
  state_callRecorded: call({ params: { name: text(), bytes: bytes(), block: hash() }, safety: 'unsafe' }),
  state_trieMigrationStatus: call({ params: { at: optional(hash()) }, safety: 'unsafe' }),
  state_traceBlock: call({
    params: {
      block: hash(),
      targets: optional(text()),
      storage_keys: optional(text()),
      methods: optional(text()),
    },
    safety: 'unsafe',
  }),
  state_subscribeStorage: subscription({
    params: { keys: optional(bytesList()) },
    safety: 'safe',
    sdkUnsafeWithout: 'keys',
    event: 'state_storage',
    unsubscribe: 'state_unsubscribeStorage',
  }),
  state_subscribeRuntimeVersion: subscription({
    params: {},
    safety: 'safe',
    aliases: ['chain_subscribeRuntimeVersion'],
    event: 'state_runtimeVersion',
    unsubscribe: 'state_unsubscribeRuntimeVersion',
    unsubscribeAliases: ['chain_unsubscribeRuntimeVersion'],
  }),
});
