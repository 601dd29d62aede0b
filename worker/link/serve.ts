import type { Chain } from '../chain/chain.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import { encodeSignedBlock, type SignedBlock } from '../codec/signed-block.ts';
import { costs, maxResponseBlocks, maxResponseBytes, type Peer, type Peers, replyMs } from './peers.ts';

export type ServingChain = Pick<
  Chain,
  'base' | 'best' | 'loadBlocks' | 'loadHashAt' | 'loadHashesAt' | 'loadHeader'
>;

/** Hashes that a locator names at most: heights below the best block, at doubling distances. */
const maxKnown = 34;

/** Hashes of the best chain, dense at its head, from which another node finds the common block. */
export const createLocator = async (chain: ServingChain): Promise<BlockHash[]> => {
  const best = chain.best().number;
  const known: BlockHash[] = [];
  for (let back = 0; back <= best && known.length < maxKnown; back = back === 0 ? 1 : back * 2) {
    const hash = await chain.loadHashAt(best - back);
    if (hash !== null) known.push(hash);
  }
  return known;
};

/** A branch is followed down this far to the best chain. */
const maxBranch = 1024;

/** The blocks of the target's branch that are not on the best chain, ascending, and the height below them. */
const findBranch = async (chain: ServingChain, target: BlockHash) => {
  const hashes: BlockHash[] = [];
  for (let hash = target; hashes.length < maxBranch; ) {
    const header = await chain.loadHeader(hash);
    if (header === null) return null;
    if ((await chain.loadHashAt(header.number)) === hash)
      return { hashes: hashes.reverse(), base: header.number };
    hashes.push(hash);
    hash = bytesToBlockHash(header.parentHash);
  }
  return null;
};

/** The blocks up to the target that the requesting node lacks, as many as one message holds. Null if unknown. */
export const findRequested = async (
  chain: ServingChain,
  target: BlockHash,
  known: readonly BlockHash[],
): Promise<SignedBlock[] | null> => {
  const branch = await findBranch(chain, target);
  if (branch === null) return null;
  // Both have the base of their chain.
  let start = chain.base.number;
  for (const hash of known.slice(0, maxKnown)) {
    const number = (await chain.loadHeader(hash))?.number ?? 0;
    if (number <= branch.base && (await chain.loadHashAt(number)) === hash) start = Math.max(start, number);
  }
  const named = new Set(known.slice(0, maxKnown));
  const rest = branch.hashes.slice(branch.hashes.findLastIndex((hash) => named.has(hash)) + 1);
  // A block of the branch is known: then so is all below it.
  if (rest.length < branch.hashes.length) start = branch.base;
  const blocks: SignedBlock[] = [];
  let size = 0;
  const last = Math.min(branch.base, start + maxResponseBlocks);
  const canonical = await chain.loadHashesAt(start + 1, last);
  const isWhole = start + canonical.length === branch.base;
  const hashes = isWhole ? [...canonical, ...rest] : canonical;
  for (const block of await chain.loadBlocks(hashes.slice(0, maxResponseBlocks))) {
    if (block === null) break;
    size += encodeSignedBlock(block).length;
    if (blocks.length > 0 && size > maxResponseBytes) break;
    blocks.push(block);
  }
  return blocks;
};

export type RequestDeps = {
  readonly chain: ServingChain;
  readonly peers: Peers;
  readonly schedule: (ms: number, run: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};

/** Forgets a peer's request. Returns the block that was still wanted from it, or null. */
const forgetRequest = (peer: Peer): BlockHash | null => {
  const { request, next } = peer;
  request?.forget();
  peer.request = peer.next = null;
  return next ?? request?.target ?? null;
};

/** Requests from another peer what one did not send. Without another, its next announcement repeats the request. */
export const abandonRequest = async (deps: RequestDeps, peer: Peer): Promise<void> => {
  const target = forgetRequest(peer);
  if (target === null) return;
  const isFree = (other: Peer): boolean => other !== peer && other.request === null && other.seen.has(target);
  const other = deps.peers.ready().find(isFree);
  if (other !== undefined && (await deps.chain.loadHeader(target)) === null)
    await requestBlocks(deps, other, target);
};

/** Requests blocks up to one, unless a request is already out. */
export const requestBlocks = async (deps: RequestDeps, peer: Peer, target: BlockHash): Promise<void> => {
  if (peer.request !== null) {
    peer.next = target;
    return;
  }
  // Not from a peer whose link has ended.
  if (!deps.peers.ready().includes(peer)) return;
  const forget = deps.schedule(replyMs, () => {
    deps.peers.rate(peer.name, costs.noReply);
    abandonRequest(deps, peer).catch(deps.onError);
  });
  const request = { target, forget };
  peer.request = request;
  try {
    peer.send({ type: 'request', target, known: await createLocator(deps.chain) });
  } catch (error) {
    // Nothing was sent, so the peer owes no reply.
    if (peer.request === request) forgetRequest(peer);
    throw error;
  }
};
