import type { Author } from '../author/author.ts';
import { type Clock, clockPut } from '../author/clock.ts';
import type { Chain } from '../chain/chain.ts';
import type { NewBase } from '../chain/dev/rebase.ts';
import { type Batch, createBatch } from '../db/database.ts';
import type { Pool } from '../pool/pool.ts';
import type { Snapshots } from './snapshot.ts';

/** Another base for a fork, read and checked; nothing of it is the chain's yet. */
export type PreparedBase = Omit<NewBase, 'extra'> & { readonly records: Batch['puts'] };

type RebaseDeps = {
  readonly chain: Pick<Chain, 'rebase'>;
  readonly author: Pick<Author, 'between'>;
  readonly clock: Clock;
  readonly pool: Pick<Pool, 'revalidate'>;
  readonly snapshots: Pick<Snapshots, 'list' | 'delete'>;
  settled(): Promise<void>;
  forgetClaims(): void;
};

/**
 * Continues a fork from another base. Impersonations, keys and the pool stay; the clock begins anew, and snapshots are
 * deleted, because their blocks are. Nothing has changed if it rejects before the base is written.
 */
export const rebase = (deps: RebaseDeps, prepare: () => Promise<PreparedBase>): Promise<void> =>
  deps.author.between(async () => {
    const { chain, clock, pool, snapshots } = deps;
    await deps.settled();
    const { records, ...next } = await prepare();
    const beginning = clock.beginning();
    const extra = createBatch();
    extra.puts.push(...records, clockPut(beginning));
    await chain.rebase({ ...next, extra });
    clock.set(beginning);
    deps.forgetClaims();
    for (const [name] of snapshots.list()) await snapshots.delete(name);
    await pool.revalidate();
  });
