import { call, methods, subscription } from './define.ts';
import { boolean, hash, optional, text } from './params/params.ts';
import { hashes, storageItems } from './params/state.ts';
import type { chainHeadResults } from './results/chain-head.ts';

const follow_subscription = text();

/** The head of the chain: follow it, then read the blocks it reports while they are pinned. */
export const chainHead = methods<typeof chainHeadResults>()({
  chainHead_v1_follow: subscription({
    params: { with_runtime: boolean() },
    safety: 'safe',
    event: 'chainHead_v1_followEvent',
    unsubscribe: 'chainHead_v1_unfollow',
    maxWaiting: 512,
    lastItem: { event: 'stop' },
  }),
  chainHead_v1_body: call({ params: { follow_subscription, hash: hash() }, safety: 'safe' }),
  chainHead_v1_call: call({
    params: { follow_subscription, hash: hash(), function: text(), call_parameters: text() },
    safety: 'safe',
  }),
  chainHead_v1_storage: call({
    params: { follow_subscription, hash: hash(), items: storageItems(), child_trie: optional(text()) },
    safety: 'safe',
  }),
  chainHead_v1_header: call({ params: { follow_subscription, hash: hash() }, safety: 'safe' }),
  chainHead_v1_unpin: call({ params: { follow_subscription, hash_or_hashes: hashes() }, safety: 'safe' }),
  chainHead_v1_continue: call({ params: { follow_subscription, operation_id: text() }, safety: 'safe' }),
  chainHead_v1_stopOperation: call({ params: { follow_subscription, operation_id: text() }, safety: 'safe' }),
});
