import type { MethodDocs } from '../define.ts';

const someHash = `0x${'91'.repeat(32)}`;

export const archiveDocs = {
  archive_v1_body: { doc: 'The extrinsics of a block, or null.', example: { hash: someHash } },
  archive_v1_call: {
    doc: 'Calls a function of the runtime on a block.',
    example: { hash: someHash, function: 'Core_version', call_parameters: '0x' },
  },
  archive_v1_finalizedHeight: { doc: 'The height of the finalized block.', example: {} },
  archive_v1_genesisHash: { doc: 'The hash of the genesis block.', example: {} },
  archive_v1_hashByHeight: {
    doc: 'The hashes of the blocks at a height, with all forks.',
    example: { height: 1 },
  },
  archive_v1_header: { doc: 'The SCALE bytes of a header, or null.', example: { hash: someHash } },
  archive_v1_storage: { doc: 'Reads keys of a block; ends with `storageDone` or `storageError`.' },
  archive_v1_storageDiff: {
    doc: 'The changes between two blocks; ends with `storageDiffDone` or `storageDiffError`.',
  },
} satisfies MethodDocs;
