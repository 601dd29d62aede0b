import type { bitswap } from '../../../src/protocol/rpc/bitswap.ts';
import { CidError, parseCid } from '../cid.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';

const invalidCid = (why: string): RpcError =>
  new RpcError(-32602, `Invalid CID: ${why}`, { variant: 'InvalidCid' });

/** sha2-256, keccak-256 and blake2b-256 in the table of multicodecs: what sc-rpc-spec-v2 0.62 takes. */
const hashCodes: readonly bigint[] = [0x12n, 0x1bn, 0xb220n];

/** Refuses what is no CIDv1 of a 32-byte digest, in the SDK's order and words. */
const checkCid = (text: string): void => {
  try {
    const { version, hashCode, digest } = parseCid(text);
    if (version !== 1) throw new CidError('Only CIDv1 is supported');
    if (!hashCodes.includes(hashCode))
      throw new CidError('Only sha2-256, blake2b-256 & keccak-256 hash functions are supported');
    if (digest.length !== 32) throw new CidError('Only 256-bit hash digests are supported');
  } catch (error) {
    throw error instanceof CidError ? invalidCid(error.message) : error;
  }
};

export const bitswapMethods: Handlers<typeof bitswap, object> = {
  /**
   * The SDK looks the digest up in what the runtime had indexed by `ext_transaction_index_index`; that host function keeps
   * nothing here (executor/host/misc.ts), so the index is empty and every CID is not found. A native node answers the same of
   * each chain whose runtime never indexes; never -32812, `MajorSyncing`, as this node does not sync from others.
   */
  bitswap_v1_get: (_deps, { cid }) => {
    checkCid(cid);
    throw new RpcError(-32810, 'Transaction not found', { variant: 'NotFound' });
  },
};
