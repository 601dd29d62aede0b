import type { bitswap } from '../../../src/protocol/rpc/bitswap.ts';
import { RpcError } from '../errors.ts';
import type { Handlers } from '../handlers.ts';

const base58 = '[1-9A-HJ-NP-Za-km-z]';
/** Version 0: base58 of a sha2-256 multihash alone. */
const version0 = new RegExp(`^Qm${base58}{44}$`);
/** Version 1 as it is written: hex, base32 or base58 behind the sign of its base (multibase). */
const version1 = new RegExp(`^(f([0-9a-f]{2})+|F([0-9A-F]{2})+|b[a-z2-7]+|B[A-Z2-7]+|z${base58}+)$`);

/** Why a text is no CID of version 1, in the words of a native node; null when it has the form of one. */
const faultOf = (text: string): string | null => {
  const path = text.indexOf('/ipfs/');
  const own = path < 0 ? text : text.slice(path + 6);
  if (own.length < 2) return 'Input too short';
  if (version0.test(own)) return 'Only CIDv1 is supported';
  return version1.test(own) ? null : 'Failed to parse multihash';
};

export const bitswapMethods: Handlers<typeof bitswap, object> = {
  /**
   * The SDK looks the digest up in what the runtime had indexed by `ext_transaction_index_index`; that host
   * function keeps nothing here (executor/host/misc.ts), so the index is empty and every CID is not found,
   * whatever digest it holds: what it holds is not read. A native node answers the same of each chain whose
   * runtime never indexes; never -32812, `MajorSyncing`, as this node does not sync from others.
   */
  bitswap_v1_get: (_deps, { cid }) => {
    const fault = faultOf(cid);
    if (fault !== null) throw new RpcError(-32602, `Invalid CID: ${fault}`, { variant: 'InvalidCid' });
    throw new RpcError(-32810, 'Transaction not found', { variant: 'NotFound' });
  },
};
