import type { Chain } from '../chain/chain.ts';
import type { Execution } from '../chain/steps.ts';
import type { BlockRef } from '../chain/tree.ts';
import type { BlockHash } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Dev } from '../dev/dev.ts';
import type { Declared } from './base/declared.ts';
import type { PreparedFork } from './open.ts';
import { ahead, readNumbered } from './reads/ahead.ts';

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

type Deps = {
  readonly chain: Chain;
  /** Builds an empty block on a block, and drops it. */
  foresee(parent: BlockHash): Promise<Pick<Execution, 'changes'>>;
  readonly crypto: Crypto;
  readonly dev: Pick<Dev, 'impersonated' | 'rebase'>;
};

/**
 * Reads what the first blocks need. A fork that has built none yet has not read it, and from its pack nobody could build one.
 */
const readFirstBlocks = async ({ chain, foresee, crypto }: Deps): Promise<void> => {
  const { hash } = chain.best();
  if (hash !== chain.base.hash) return;
  const number = chain.base.number + 1;
  const { changes } = await foresee(hash);
  await readNumbered({ chain, crypto }, { hash, number, changes: changes.main }, number, number + ahead);
};

export const runFork = (fork: PreparedFork, deps: Deps): RunningFork => {
  const { chain, dev } = deps;
  const declare = async (): Promise<Declared> => ({
    writes: await fork.writesOf(chain),
    impersonated: dev.impersonated(),
  });
  return {
    record: fork.record,
    origin: fork.origin,
    shared: fork.shared,
    liveToo: fork.liveToo,
    exportPack: async () => {
      // What is there is packed, even if no block can be built: of a parachain, or without an endpoint.
      if (fork.origin !== null) await readFirstBlocks(deps).catch(() => undefined);
      return fork.exportPack(await declare());
    },
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
