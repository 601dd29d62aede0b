import * as z from 'zod/mini';
import { call, subscription } from './define.ts';
import { bytes } from './params.ts';
import { extrinsicsOrHashes } from './params-sdk.ts';
import { extrinsicStatusResult, hashResult, hexResult } from './results.ts';

/** Submission of transactions. */
export const author = {
  author_submitExtrinsic: call({
    doc: 'Validates an extrinsic and adds it to the pool; returns its hash.',
    params: { extrinsic: bytes() },
    result: hashResult(),
    safety: { 'psp-6': 'unsafe', 'polkadot-sdk': 'safe' },
    example: { args: { extrinsic: '0x1004010014' }, result: `0x${'91'.repeat(32)}` },
  }),
  author_pendingExtrinsics: call({
    doc: 'The ready transactions of the pool, in pool order.',
    params: {},
    result: z.array(hexResult()),
    safety: 'safe',
    example: { args: {}, result: [] },
  }),
  author_removeExtrinsic: call({
    doc: 'Removes transactions and their dependents from the pool and bans the given ones; returns those removed.',
    params: { bytes_or_hash: extrinsicsOrHashes() },
    result: z.array(hexResult()),
    safety: 'unsafe',
    isVariadic: true,
    example: { args: { bytes_or_hash: [{ hash: `0x${'91'.repeat(32)}` }] }, result: [] },
  }),
  author_submitAndWatchExtrinsic: subscription({
    doc: 'Submits an extrinsic and reports its status.',
    params: { bytes: bytes() },
    result: extrinsicStatusResult(),
    safety: 'safe',
    event: 'author_extrinsicUpdate',
    unsubscribe: 'author_unwatchExtrinsic',
  }),
};
