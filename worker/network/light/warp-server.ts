import { NodeError } from '../../../src/protocol/errors.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import { createSet } from '../../consensus/grandpa/authorities.ts';
import type { Grandpa } from '../../consensus/grandpa/grandpa.ts';
import { encodeWarpProof, proveWarp } from '../../consensus/grandpa/warp.ts';
import { createPeerQueues } from '../peer-queues.ts';
import type { RequestServer } from '../requests.ts';

export type WarpServerDeps = {
  readonly chain: Parameters<typeof proveWarp>[0];
  readonly grandpa: Pick<Grandpa, 'authoritySet'>;
  readonly onError: (error: unknown) => void;
};

/** A request is the hash of the block at which the proof begins, and nothing else. */
export const warpRequestBytes = 32;
const maxWaiting = 2;

/** Null if there is no proof from this block on. */
const prove = async ({ chain, grandpa }: WarpServerDeps, begin: BlockHash): Promise<Uint8Array | null> => {
  // As long as nothing has been proven, the proof is empty.
  const set = (await grandpa.authoritySet()) ?? createSet(0n, []);
  try {
    return encodeWarpProof(await proveWarp(chain, set, begin));
  } catch (error) {
    if (error instanceof NodeError && (error.code === 'NotFinalizable' || error.code === 'Unsupported'))
      return null;
    throw error;
  }
};

/** Serves `sync/warp`: which authority sets followed on a block (sc-network-sync `warp_request_handler.rs`). */
export const createWarpServer = (deps: WarpServerDeps): RequestServer => {
  const queues = createPeerQueues(maxWaiting, deps.onError);
  return {
    serve: (peer, bytes) => queues.run(peer, () => prove(deps, bytesToBlockHash(bytes))),
    forget: queues.forget,
  };
};
