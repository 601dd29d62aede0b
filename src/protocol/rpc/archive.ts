import { call, methods, subscription } from './define.ts';
import { hash, optional, text, u64 } from './params/params.ts';
import { diffItems, storageItems } from './params/state.ts';
import type { archiveResults } from './results/archive.ts';

/** Every block and state the node has, by hash. */
export const archive = methods<typeof archiveResults>()({
  archive_v1_body: call({ params: { hash: hash() }, safety: 'safe' }),
  archive_v1_call: call({
    params: { hash: hash(), function: text(), call_parameters: text() },
    safety: 'safe',
  }),
  archive_v1_finalizedHeight: call({ params: {}, safety: 'safe' }),
  archive_v1_genesisHash: call({ params: {}, safety: 'safe' }),
  archive_v1_hashByHeight: call({ params: { height: u64() }, safety: 'safe' }),
  archive_v1_header: call({ params: { hash: hash() }, safety: 'safe' }),
  archive_v1_storage: subscription({
    params: { hash: hash(), items: storageItems(), child_trie: optional(text()) },
    safety: 'safe',
    event: 'archive_v1_storageEvent',
    unsubscribe: 'archive_v1_stopStorage',
    maxWaiting: Number.POSITIVE_INFINITY,
  }),
  archive_v1_storageDiff: subscription({
    params: { hash: hash(), items: optional(diffItems()), previous_hash: optional(hash()) },
    safety: 'safe',
    event: 'archive_v1_storageDiffEvent',
    unsubscribe: 'archive_v1_storageDiff_stopStorageDiff',
    unsubscribeAliases: ['archive_v1_stopStorageDiff'],
    maxWaiting: Number.POSITIVE_INFINITY,
  }),
});
