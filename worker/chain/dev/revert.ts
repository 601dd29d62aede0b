import type { BlockHash } from '../../codec/identity.ts';
import { damageError } from '../../db/damage.ts';
import type { Chain } from '../chain.ts';

type Reverting = Pick<
  Chain,
  'best' | 'finalized' | 'loadHashAt' | 'unfinalized' | 'overrides' | 'move' | 'discard'
>;

/**
 * Moves the head back by up to `count` blocks, not below the finalized one, and deletes the blocks that
 * thereby leave the tree: those above the new head, and forks that would be longer. Keeps blocks that a
 * registered `keep` returns. Returns how many blocks of the best chain were reverted.
 */
export const revertChain = async (chain: Reverting, count: number): Promise<number> => {
  const best = chain.best();
  const number = Math.max(best.number - count, chain.finalized().number);
  if (number === best.number) return 0;
  const head = await chain.loadHashAt(number);
  if (head === null) throw damageError(`block #${number} is missing from the best chain`);
  const before = chain.unfinalized();
  const above = new Set<BlockHash>();
  // Parents come first.
  for (const { hash, parent } of before) if (parent === head || above.has(parent)) above.add(hash);
  const overrides = new Map([...chain.overrides()].filter(([hash]) => !above.has(hash)));
  await chain.move({ head, resubmit: false, overrides });
  const kept = new Set(chain.unfinalized().map(({ hash }) => hash));
  await chain.discard(before.map(({ hash }) => hash).filter((hash) => !kept.has(hash)));
  return best.number - number;
};
