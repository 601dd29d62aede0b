import type { MethodDocs } from '../define.ts';

const someHash = `0x${'91'.repeat(32)}`;
const follow_subscription = 'x';

export const chainHeadDocs = {
  chainHead_v1_follow: {
    doc: 'Follows the chain, starting with the finalized blocks; each block stays pinned until it is unpinned. Also reports the results of operations.',
  },
  chainHead_v1_body: {
    doc: 'Starts reading the extrinsics of a pinned block.',
    example: { follow_subscription, hash: someHash },
  },
  chainHead_v1_call: {
    doc: 'Starts calling a runtime function on a pinned block.',
    example: { follow_subscription, hash: someHash, function: 'Core_version', call_parameters: '0x' },
  },
  chainHead_v1_storage: {
    doc: 'Starts reading keys of a pinned block.',
    example: { follow_subscription, hash: someHash, items: [{ key: '0x3a636f6465', type: 'hash' }] },
  },
  chainHead_v1_header: {
    doc: 'The SCALE bytes of the header of a pinned block.',
    example: { follow_subscription, hash: someHash },
  },
  chainHead_v1_unpin: {
    doc: 'Unpins blocks, either all or none.',
    example: { follow_subscription, hash_or_hashes: [someHash] },
  },
  chainHead_v1_continue: {
    doc: 'Resumes a waiting operation.',
    example: { follow_subscription, operation_id: '0' },
  },
  chainHead_v1_stopOperation: {
    doc: 'Stops an operation.',
    example: { follow_subscription, operation_id: '0' },
  },
} satisfies MethodDocs;
