import type { Chain } from '../chain/chain.ts';
import { loadMeta } from './metadata.ts';

/** The storage of the runtime of the best block: of each pallet, its prefix and its items. Empty if its metadata names no types. */
export const listStorage = async (
  chain: Pick<Chain, 'best' | 'runtimeAt' | 'withState'>,
): Promise<{ readonly pallet: string; readonly prefix: string; readonly items: readonly string[] }[]> => {
  const meta = await loadMeta(chain, chain.best().hash);
  return (meta?.metadata.pallets ?? []).flatMap(({ name, storage }) =>
    storage === undefined
      ? []
      : [{ pallet: name, prefix: storage.prefix, items: storage.items.map((item) => item.name) }],
  );
};
