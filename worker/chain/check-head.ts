import { noBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { blockHashToBytes } from '../codec/identity.ts';
import { recordDamage } from '../db/damage.ts';
import type { Backend } from '../state/backend.ts';
import type { Chain } from './chain.ts';
import { codeKey } from './genesis.ts';

/**
 * Reads what no chain goes on without: header and body of the best and of the finalized block, the way to their runtime's
 * code, and the code. Throws `StorageBroken` for what is damaged, so that a start tells it and not the next block.
 */
export const checkHead = async (
  chain: Pick<Chain, 'best' | 'finalized' | 'loadBlock' | 'withState'>,
): Promise<void> => {
  const codes = new Set<string>();
  const readCode = (state: Backend): void => {
    // Mostly the same in both; it is large.
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
