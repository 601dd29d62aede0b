import { createBoundedMap } from '../../bytes/bounded-map.ts';
import type { Chain } from '../../chain/chain.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import { createPeerQueues } from '../peer-queues.ts';
import {
  type BlockRequest,
  blockParts,
  decodeBlockRequest,
  encodeBlockResponse,
  encodeFound,
} from '../protocol/block-request.ts';
import { reputationChanges } from '../reputation-changes.ts';
import type { RequestServer } from '../requests.ts';

export type ServedChain = Pick<
  Chain,
  'base' | 'best' | 'finalized' | 'loadBlocks' | 'loadHashAt' | 'loadHashesAt' | 'loadHeader'
>;

export type BlockServerDeps = {
  readonly chain: ServedChain;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly rate: (peer: string, change: number) => void;
  readonly onError: (error: unknown) => void;
};

/** Serves `sync/2` (sc-network-sync `block_request_handler.rs`). */
export type BlockServer = RequestServer;

const maxBlocks = 128;
/** Room for the fields around the blocks, below the 16 MiB of a response. */
const maxBytes = 16 * 1024 * 1024 - 20 * 1024;
/** The blocks of the first read, whose sizes say how many the next one may have. */
const firstRead = 16;

/** The same request is fulfilled this often within this time. */
const maxSame = 2;
const sameWithinMs = 60_000;
const maxRemembered = 64;
/** The requests of a peer that wait while others are served. */
const maxWaiting = 8;

/** A branch is followed down this far to the best chain. */
const maxBranch = maxBlocks;

/** Hashes of blocks downwards from one, which may lie on a fork. */
const hashesBelow = async (chain: ServedChain, from: BlockHash, limit: number): Promise<BlockHash[]> => {
  const hashes: BlockHash[] = [];
  for (let hash = from; hashes.length < Math.min(limit, maxBranch); ) {
    const header = await chain.loadHeader(hash);
    if (header === null) break;
    if ((await chain.loadHashAt(header.number)) === hash) {
      const first = header.number - (limit - hashes.length) + 1;
      const rest = await chain.loadHashesAt(Math.max(first, chain.base.number), header.number);
      // An import may have moved the best chain meanwhile; a response that begins with another block costs 2^29.
      if (rest.at(-1) === hash) return [...hashes, ...rest.reverse()];
    }
    hashes.push(hash);
    hash = bytesToBlockHash(header.parentHash);
  }
  return hashes;
};

const findHashes = async (chain: ServedChain, request: BlockRequest): Promise<BlockHash[]> => {
  const { from, isDescending, max } = request;
  const limit = max === 0 ? maxBlocks : Math.min(max, maxBlocks);
  const start = typeof from === 'number' ? await chain.loadHashAt(from) : from;
  if (start === null) return [];
  if (isDescending) return hashesBelow(chain, start, limit);
  const header = await chain.loadHeader(start);
  if (header === null) return [];
  const hashes = await chain.loadHashesAt(header.number, header.number + limit - 1);
  // Ascending from a block of a fork there is only that block, as in the SDK.
  return hashes[0] === start ? hashes : [start];
};

const respond = async (chain: ServedChain, request: BlockRequest): Promise<Uint8Array> => {
  const hashes = await findHashes(chain, request);
  const found: Uint8Array[] = [];
  let bytes = 0;
  for (let count = firstRead; found.length < hashes.length; ) {
    const wanted = hashes.slice(found.length, found.length + count);
    for (const [index, block] of (await chain.loadBlocks(wanted)).entries()) {
      if (block === null) return encodeBlockResponse(found);
      const encoded = encodeFound({ hash: wanted[index] as BlockHash, block }, request);
      bytes += encoded.length;
      if (bytes > maxBytes && found.length > 0) return encodeBlockResponse(found);
      found.push(encoded);
    }
    count = Math.max(1, Math.floor((maxBytes - bytes) / (bytes / found.length)));
  }
  return encodeBlockResponse(found);
};

type Seen = { count: number; sinceMs: number };
type Requested = ReturnType<typeof createBoundedMap<string, Seen>>;

const keyOf = ({ parts, from, isDescending, max, takesSeveral }: BlockRequest): string =>
  `${parts} ${from} ${isDescending} ${max} ${takesSeveral}`;

const isSmall = ({ parts }: BlockRequest): boolean => (parts & blockParts.body) === 0;

export const createBlockServer = ({ chain, now, rate, onError }: BlockServerDeps): BlockServer => {
  const queues = createPeerQueues(maxWaiting, onError);
  const requested = new Map<string, Requested>();
  /** Whether it may be fulfilled once more. */
  const isAllowed = (peer: string, request: BlockRequest, seen: Seen | undefined): boolean => {
    if (seen === undefined || seen.count < maxSame) return true;
    seen.count++;
    rate(peer, isSmall(request) ? reputationChanges.sameSmallRequest : reputationChanges.sameRequest);
    return isSmall(request);
  };
  const fulfill = async (
    peer: string,
    seen: Requested,
    request: BlockRequest,
  ): Promise<Uint8Array | null> => {
    const key = keyOf(request);
    const known = seen.get(key);
    const recent = known !== undefined && now() - known.sinceMs < sameWithinMs ? known : undefined;
    if (!isAllowed(peer, request, recent)) return null;
    const response = await respond(chain, request);
    // What was not found may be requested again.
    if (response.length > 0 && recent === undefined) seen.keep(key, { count: 1, sinceMs: now() });
    else if (response.length > 0 && recent !== undefined) recent.count++;
    return response;
  };
  return {
    serve: async (peer, bytes) => {
      const request = decodeBlockRequest(bytes);
      if (request === null) {
        rate(peer, reputationChanges.undecodable);
        return null;
      }
      const seen = requested.get(peer) ?? createBoundedMap<string, Seen>(maxRemembered);
      requested.set(peer, seen);
      return queues.run(peer, () => fulfill(peer, seen, request));
    },
    forget: (peer) => {
      queues.forget(peer);
      requested.delete(peer);
    },
  };
};
