import * as z from 'zod/mini';
import { call, subscription } from './define.ts';
import { hash, optional, text, u64 } from './params.ts';
import { diffItems, storageItems } from './params-state.ts';
import { hashResult, hexResult } from './results.ts';

const someHash = `0x${'91'.repeat(32)}`;
const event = () => z.looseObject({ event: z.string() });

/** Every block and state the node has, by hash. */
export const archive = {
  archive_v1_body: call({
    doc: 'The extrinsics of a block, or null.',
    params: { hash: hash() },
    result: z.nullable(z.array(hexResult())),
    safety: 'safe',
    example: { args: { hash: someHash }, result: ['0x280402000b'] },
  }),
  archive_v1_call: call({
    doc: 'Calls a function of the runtime on a block.',
    params: { hash: hash(), function: text(), call_parameters: text() },
    result: z.nullable(
      z.union([
        z.object({ success: z.literal(true), value: hexResult() }),
        z.object({ success: z.literal(false), error: z.string() }),
      ]),
    ),
    safety: 'safe',
    example: {
      args: { hash: someHash, function: 'Core_version', call_parameters: '0x' },
      result: { success: true, value: '0x1c' },
    },
  }),
  archive_v1_finalizedHeight: call({
    doc: 'The height of the finalized block.',
    params: {},
    result: z.int(),
    safety: 'safe',
    example: { args: {}, result: 0 },
  }),
  archive_v1_genesisHash: call({
    doc: 'The hash of the genesis block.',
    params: {},
    result: hashResult(),
    safety: 'safe',
    example: { args: {}, result: someHash },
  }),
  archive_v1_hashByHeight: call({
    doc: 'The hashes of the blocks at a height, with all forks.',
    params: { height: u64() },
    result: z.array(hashResult()),
    safety: 'safe',
    example: { args: { height: 1 }, result: [someHash] },
  }),
  archive_v1_header: call({
    doc: 'The SCALE bytes of a header, or null.',
    params: { hash: hash() },
    result: z.nullable(hexResult()),
    safety: 'safe',
    example: { args: { hash: someHash }, result: '0x00' },
  }),
  archive_v1_storage: subscription({
    doc: 'Reads keys of a block; ends with `storageDone` or `storageError`.',
    params: { hash: hash(), items: storageItems(), child_trie: optional(text()) },
    result: event(),
    safety: 'safe',
    event: 'archive_v1_storageEvent',
    unsubscribe: 'archive_v1_stopStorage',
    maxWaiting: Number.POSITIVE_INFINITY,
  }),
  archive_v1_storageDiff: subscription({
    doc: 'The changes between two blocks; ends with `storageDiffDone` or `storageDiffError`.',
    params: { hash: hash(), items: optional(diffItems()), previous_hash: optional(hash()) },
    result: event(),
    safety: 'safe',
    event: 'archive_v1_storageDiffEvent',
    unsubscribe: 'archive_v1_storageDiff_stopStorageDiff',
    unsubscribeAliases: ['archive_v1_stopStorageDiff'],
    maxWaiting: Number.POSITIVE_INFINITY,
  }),
};
