import { byteCountOf } from '../../src/scale/entries.ts';
import { hexToBytes } from '../bytes/hex.ts';
import type { Chain } from '../chain/chain.ts';
import { ethereumBytes } from './impersonation.ts';
import { loadMeta } from './metadata.ts';

/** Whether accounts of the best block's runtime are those of Ethereum, of 20 bytes, by its metadata. */
export const hasEthereumAccounts = async (
  chain: Pick<Chain, 'best' | 'runtimeAt' | 'withState'>,
): Promise<boolean> => {
  const meta = await loadMeta(chain, chain.best().hash);
  const type = meta?.addressType ?? null;
  return meta !== null && type !== null && byteCountOf(meta.lookup(type)) === ethereumBytes;
};

/** 20 bytes of hex; null for another text. */
export const readEthereumAccount = (text: string): Uint8Array | null =>
  /^0x[0-9a-f]{40}$/i.test(text) ? hexToBytes(text) : null;
