import { expect, test } from 'vitest';
import { encodeFields } from '../transport/protobuf.ts';
import { decodeBlockResponse } from './block-request.ts';

/** A response with blocks of so many extrinsics without bytes, three bytes each. */
const responseOf = (blocks: number, extrinsics: number): Uint8Array => {
  const block = new Uint8Array(extrinsics * 3);
  for (let at = 0; at < block.length; at += 3) block.set([0x1a, 1, 0], at);
  return encodeFields(...Array.from({ length: blocks }, () => [1, block] as const));
};

test('extrinsics are counted over all blocks of a response, so that 16 MiB are not millions of objects', () => {
  expect(decodeBlockResponse(responseOf(64, 4000))?.[63]?.extrinsics).toHaveLength(4000);
  expect(decodeBlockResponse(responseOf(64, 5000))).toBeNull();
});
