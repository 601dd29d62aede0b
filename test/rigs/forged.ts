import type { ApiPromise } from '@polkadot/api';
import { hexToBytes } from '../../worker/bytes/hex.ts';

export const mockSignature = `0xdeadbeef${'cd'.repeat(60)}`;

/** An unsigned transfer as hex, with a mock signature as in chopsticks, or with the given one. */
export const forgeTransfer = (
  api: ApiPromise,
  from: string,
  to: string | Uint8Array,
  value: bigint,
  options: { readonly nonce?: number; readonly signature?: string } = {},
): string => {
  const tx = api.tx['balances']?.['transferAllowDeath']?.(to, value);
  if (tx === undefined) throw new Error('no transfer call');
  tx.signFake(from, {
    nonce: options.nonce ?? 0,
    era: 0 as never,
    genesisHash: api.genesisHash,
    blockHash: api.genesisHash,
    runtimeVersion: api.runtimeVersion,
  });
  (tx.signature as unknown as Uint8Array).set(hexToBytes(options.signature ?? mockSignature));
  return tx.toHex();
};
