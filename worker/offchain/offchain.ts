import type { Chain } from '../chain/chain.ts';
import type { ChainEvent } from '../chain/events.ts';
import type { Database } from '../db/database.ts';
import { type OffchainStorage, openOffchainStorage } from './storage.ts';

/** The offchain side of a node: its database, following the chain. */
export type Offchain = { readonly storage: OffchainStorage; close(): Promise<void> };

const followBlocks =
  (storage: OffchainStorage, indexing: boolean) =>
  (event: ChainEvent): void => {
    if (event.kind === 'moved') storage.reload();
    if (event.kind !== 'imported' || event.isBest) storage.onBestMoved(event.enacted, event.retracted);
    if (event.kind === 'imported' && indexing && event.changes.offchain.length > 0)
      storage.changed(event.changes.offchain.map(([key]) => key));
  };

/** Opens the database and follows the chain until closed. */
export const startOffchain = async (
  deps: { readonly db: Database; readonly chain: Pick<Chain, 'best' | 'onEvent'> },
  options: { readonly indexing: boolean },
): Promise<Offchain> => {
  const storage = await openOffchainStorage(deps.db, deps.chain.best().hash);
  const stop = deps.chain.onEvent(followBlocks(storage, options.indexing));
  return {
    storage,
    close: async () => {
      stop();
      await storage.flush();
    },
  };
};
