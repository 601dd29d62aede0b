import type { Chain } from '../chain/chain.ts';

/** Whether the best chain contains a state set by `dev_setStorage`. */
export const isEdited = async ({
  chain,
}: {
  readonly chain: Pick<Chain, 'best' | 'loadHashAt' | 'overrides'>;
}): Promise<boolean> => {
  const { number: top } = chain.best();
  for (const { hash, number } of chain.overrides().values())
    if (number <= top && (await chain.loadHashAt(number)) === hash) return true;
  return false;
};
