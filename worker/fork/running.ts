import type { Chain } from '../chain/chain.ts';
import type { BlockRef } from '../chain/tree.ts';
import type { Dev } from '../dev/dev.ts';
import type { Declared } from './base/declared.ts';
import type { PreparedFork } from './open.ts';

/** The fork of a node that runs. */
export type RunningFork = Pick<PreparedFork, 'record' | 'origin' | 'shared' | 'liveToo'> & {
  /** The fork in one file. Throws `LimitReached`, and `NotCached` if what is declared cannot be applied to the base. */
  exportPack(): Promise<Uint8Array>;
  /**
   * Continues from a newer block of the live chain, with the same declared values; its own blocks and snapshots are gone.
   * Returns the new base, and how many values were declared. Nothing has changed if it rejects.
   */
  rebase(block: string): Promise<{ readonly base: BlockRef; readonly writes: number }>;
};

type Deps = { readonly chain: Chain; readonly dev: Pick<Dev, 'impersonated' | 'rebase'> };

export const runFork = (fork: PreparedFork, { chain, dev }: Deps): RunningFork => {
  const declare = async (): Promise<Declared> => ({
    writes: await fork.writesOf(chain),
    impersonated: dev.impersonated(),
  });
  return {
    record: fork.record,
    origin: fork.origin,
    shared: fork.shared,
    liveToo: fork.liveToo,
    exportPack: async () => fork.exportPack(await declare()),
    rebase: async (block) => {
      let writes = 0;
      await dev.rebase(async () => {
        const declared = await declare();
        writes = declared.writes.length;
        return fork.rebase(block, declared);
      });
      const { hash, number } = chain.base;
      return { base: { hash, number }, writes };
    },
  };
};
