import type { bitswap } from '../../../src/protocol/rpc/bitswap.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';

const base58 = '[1-9A-HJ-NP-Za-km-z]';
/** Version 0: base58 of a sha2-256 multihash only. */
const version0 = new RegExp(`^Qm${base58}{44}$`);
/** Version 1 as text: a character for the base (multibase), then hex, base32 or base58. */
const version1 = new RegExp(`^(f([0-9a-f]{2})+|F([0-9A-F]{2})+|b[a-z2-7]+|B[A-Z2-7]+|z${base58}+)$`);

/** Why a text is not a CID of version 1, in the wording of a native node; null if its form is valid. */
const faultOf = (text: string): string | null => {
  const path = text.indexOf('/ipfs/');
  const own = path < 0 ? text : text.slice(path + 6);
  if (own.length < 2) return 'Input too short';
  if (version0.test(own)) return 'Only CIDv1 is supported';
  return version1.test(own) ? null : 'Failed to parse multihash';
};

export const bitswapMethods: Handlers<typeof bitswap, object> = {
  /**
   * The SDK looks the digest up in the transactions that the runtime indexed with
   * `ext_transaction_index_index`. Here that host function stores nothing (executor/host/misc.ts), so no CID
   * is ever found and the digest is not parsed. A native node responds the same way on any chain whose
   * runtime never indexes. -32812, `MajorSyncing`, never occurs, because this node does not sync from others.
   */
  bitswap_v1_get: (_deps, { cid }) => {
    const fault = faultOf(cid);
    if (fault !== null) throw new RpcError(-32602, `Invalid CID: ${fault}`, { variant: 'InvalidCid' });
    throw new RpcError(-32810, 'Transaction not found', { variant: 'NotFound' });
  },
};
