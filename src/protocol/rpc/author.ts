import { call, methods, subscription } from './define.ts';
import { bytes } from './params/params.ts';
import { extrinsicsOrHashes } from './params/sdk.ts';
import type { authorResults } from './results/author.ts';

/** Submission of transactions. */
export const author = methods<typeof authorResults>()({
  author_submitExtrinsic: call({
    params: { extrinsic: bytes() },
    safety: { 'psp-6': 'unsafe', 'polkadot-sdk': 'safe' },
    runsTogether: true,
  }),
  author_pendingExtrinsics: call({ params: {}, safety: 'safe' }),
  author_removeExtrinsic: call({
    params: { bytes_or_hash: extrinsicsOrHashes() },
    safety: 'unsafe',
    isVariadic: true,
  }),
  author_submitAndWatchExtrinsic: subscription({
    params: { bytes: bytes() },
    safety: 'safe',
    event: 'author_extrinsicUpdate',
    unsubscribe: 'author_unwatchExtrinsic',
  }),
});
