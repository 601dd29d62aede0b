import * as z from 'zod/mini';
import { call, subscription } from './define.ts';
import { boolean, hash, optional, text } from './params.ts';
import { hashes, storageItems } from './params-state.ts';
import { hexResult } from './results.ts';

const follow_subscription = text();
const someHash = `0x${'91'.repeat(32)}`;
const started = () =>
  z.union([
    z.object({ result: z.literal('started'), operationId: z.string(), discardedItems: z.optional(z.int()) }),
    z.object({ result: z.literal('limitReached') }),
  ]);
const onDead = (args: object, result: unknown = null) => ({
  args: { follow_subscription: 'x', ...args },
  result,
});
const limitReached = { result: 'limitReached' };

/** The head of the chain: follow it, then read the blocks it reports while they are pinned. */
export const chainHead = {
  chainHead_v1_follow: subscription({
    doc: 'Follows the chain, starting with the finalized blocks; each block stays pinned until it is unpinned. Also reports the results of operations.',
    params: { with_runtime: boolean() },
    result: z.looseObject({ event: z.string() }),
    safety: 'safe',
    event: 'chainHead_v1_followEvent',
    unsubscribe: 'chainHead_v1_unfollow',
    maxWaiting: 512,
    lastItem: { event: 'stop' },
  }),
  chainHead_v1_body: call({
    doc: 'Starts reading the extrinsics of a pinned block.',
    params: { follow_subscription, hash: hash() },
    result: started(),
    safety: 'safe',
    example: onDead({ hash: someHash }, limitReached),
  }),
  chainHead_v1_call: call({
    doc: 'Starts calling a runtime function on a pinned block.',
    params: { follow_subscription, hash: hash(), function: text(), call_parameters: text() },
    result: started(),
    safety: 'safe',
    example: onDead({ hash: someHash, function: 'Core_version', call_parameters: '0x' }, limitReached),
  }),
  chainHead_v1_storage: call({
    doc: 'Starts reading keys of a pinned block.',
    params: { follow_subscription, hash: hash(), items: storageItems(), child_trie: optional(text()) },
    result: started(),
    safety: 'safe',
    example: onDead({ hash: someHash, items: [{ key: '0x3a636f6465', type: 'hash' }] }, limitReached),
  }),
  chainHead_v1_header: call({
    doc: 'The SCALE bytes of the header of a pinned block.',
    params: { follow_subscription, hash: hash() },
    result: z.nullable(hexResult()),
    safety: 'safe',
    example: onDead({ hash: someHash }),
  }),
  chainHead_v1_unpin: call({
    doc: 'Unpins blocks, either all or none.',
    params: { follow_subscription, hash_or_hashes: hashes() },
    result: z.null(),
    safety: 'safe',
    example: onDead({ hash_or_hashes: [someHash] }),
  }),
  chainHead_v1_continue: call({
    doc: 'Resumes a waiting operation.',
    params: { follow_subscription, operation_id: text() },
    result: z.null(),
    safety: 'safe',
    example: onDead({ operation_id: '0' }),
  }),
  chainHead_v1_stopOperation: call({
    doc: 'Stops an operation.',
    params: { follow_subscription, operation_id: text() },
    result: z.null(),
    safety: 'safe',
    example: onDead({ operation_id: '0' }),
  }),
};
