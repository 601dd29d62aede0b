import type { Chain } from '../../worker/chain/chain.ts';
import { type BlockHash, bytesToBlockHash } from '../../worker/codec/identity.ts';
import { encodeSignedBlock } from '../../worker/codec/signed-block.ts';
import { decodeBlockRequest, encodeBlockResponse, type FoundBlock } from './substrate.ts';

/** The limits of sc-network-sync, except for the size, which is smaller. */
const maxBlocks = 128;
const maxBytes = 8 * 1024 * 1024;

type ServedChain = Pick<Chain, 'loadBlock' | 'loadHashAt'>;

/** Serves a request of `sync/2`: ascending along the best chain, or descending from a block. */
export const serveBlocks = async (chain: ServedChain, request: Uint8Array): Promise<Uint8Array> => {
  const { parts, from, isDescending, max } = decodeBlockRequest(request);
  const limit = max === 0 ? maxBlocks : Math.min(max, maxBlocks);
  const found: FoundBlock[] = [];
  let hash: BlockHash | null = typeof from === 'number' ? await chain.loadHashAt(from) : from;
  for (let bytes = 0; hash !== null && found.length < limit; ) {
    const block = await chain.loadBlock(hash);
    if (block === null) break;
    bytes += encodeSignedBlock(block).length;
    if (bytes > maxBytes) break;
    found.push({ hash, block });
    const { number, parentHash } = block.header;
    if (!isDescending) hash = await chain.loadHashAt(number + 1);
    else hash = number === 0 ? null : bytesToBlockHash(parentHash);
  }
  return encodeBlockResponse(found, parts);
};
