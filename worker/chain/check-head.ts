import { noBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { blockHashToBytes } from '../codec/identity.ts';
import { recordDamage } from '../db/damage.ts';
import type { Backend } from '../state/backend.ts';
import type { Chain } from './chain.ts';
import { codeKey } from './genesis.ts';

/**
 * Reads what the chain cannot continue without: header and body of the best and the finalized block, the trie
 * path to their runtime code, and the code. Throws `StorageBroken` for damage, so that startup reports it
 * rather than the next block.
 */
export const checkHead = async (
  chain: Pick<Chain, 'best' | 'finalized' | 'loadBlock' | 'withState'>,
): Promise<void> => {
  const codes = new Set<string>();
  const readCode = (state: Backend): void => {
    // Usually the same in both, and large.
    const code = bytesToHex(state.valueHash(codeKey) ?? noBytes);
    if (!codes.has(code)) state.get(codeKey);
    codes.add(code);
  };
  for (const hash of new Set([chain.best().hash, chain.finalized().hash])) {
    if ((await chain.loadBlock(hash)) === null)
      throw recordDamage('headers', blockHashToBytes(hash), 'is missing');
    await chain.withState(hash, readCode);
  }
};
