import { noBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { type BlockHash, blockHashToBytes } from '../../codec/identity.ts';
import { recordDamage } from '../../db/damage.ts';
import type { Backend } from '../../state/backend.ts';
import type { Chain } from '../chain.ts';
import { codeKey } from './genesis.ts';

/**
 * Reads the records that the next block needs: header and body of the best and the finalized block, the trie path
 * to their runtime code, and the code. Throws `StorageBroken` if one is damaged, so that startup reports it.
 */
export const checkHead = async (
  chain: Pick<Chain, 'best' | 'finalized' | 'loadBlock' | 'withState'>,
): Promise<void> => {
  // Large, and usually the same in both blocks, so it is read once.
  const readers = new Map<string, BlockHash>();
  const readCode = (hash: BlockHash, state: Backend): void => {
    const code = bytesToHex(state.valueHash(codeKey) ?? noBytes);
    if ((readers.get(code) ?? hash) !== hash) return;
    readers.set(code, hash);
    state.get(codeKey);
  };
  const check = async (hash: BlockHash): Promise<void> => {
    if ((await chain.loadBlock(hash)) === null)
      throw recordDamage('headers', blockHashToBytes(hash), 'is missing');
    await chain.withState(hash, (state) => readCode(hash, state));
  };
  const { best, finalized } = chain;
  await Promise.all([...new Set([best().hash, finalized().hash])].map(check));
};
