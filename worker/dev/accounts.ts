import { byteCountOf } from '../../src/scale/entries.ts';
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
