import { noBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
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
  // Usually the same in both, and large: read for one of them.
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
