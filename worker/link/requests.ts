import type { BlockHash } from '../codec/identity.ts';
import { costs, type Peer, type Peers, replyMs } from './peers.ts';
import { createLocator, type ServingChain } from './serve.ts';

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
