import type { NodeConfig } from '../../src/protocol/node.ts';
import type { Chain } from '../chain/chain.ts';
import type { ChainEvent } from '../chain/events.ts';
import { isNew } from '../chain/steps.ts';
import type { Database } from '../db/database.ts';
import type { Pool } from '../pool/pool.ts';
import type { HostDeps } from './host.ts';
import type { RunDeps } from './run.ts';
import { type OffchainStorage, openOffchainStorage } from './storage.ts';
import { createWorkers, type Workers } from './workers.ts';

/** A node's offchain database and, if enabled, the workers of its best blocks. */
export type Offchain = {
  readonly storage: OffchainStorage;
  /** Resolves when no worker is running. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

export type OffchainDeps = Pick<HostDeps, 'keystore' | 'peerKey'> &
  Pick<RunDeps, 'now' | 'schedule'> & {
    readonly db: Database;
    readonly chain: Pick<Chain, 'best' | 'onEvent' | 'runtimeAt' | 'withState'>;
    readonly pool: Pick<Pool, 'submit'>;
    readonly onError: (error: unknown) => void;
  };

export type OffchainOptions = Pick<
  NodeConfig,
  'keys' | 'offchainWorkers' | 'offchainIndexing' | 'offchainHttp'
>;

/** TransactionSource::Local. */
const local = 1;

/** As reported by `system_nodeRoles`. */
const isAuthorityBy = ({ keys }: OffchainOptions): boolean => keys.length > 0;

const isOn = (options: OffchainOptions): boolean => {
  const mode = options.offchainWorkers ?? 'when-authority';
  return mode === 'always' || (mode === 'when-authority' && isAuthorityBy(options));
};

const follow =
  (storage: OffchainStorage, workers: Workers | null, isIndexing: boolean) =>
  (event: ChainEvent): void => {
    if (event.kind === 'moved') storage.reload();
    if (event.kind !== 'imported' || event.isBest) storage.onBestMoved(event.enacted, event.retracted);
    if (event.kind !== 'imported') return;
    if (isIndexing && event.changes.offchain.length > 0)
      storage.changed(event.changes.offchain.map(([key]) => key));
    // As in the SDK, a block that becomes best later, by finality, gets no worker.
    if (event.isBest && isNew(event.origin)) workers?.start(event);
  };

/** Opens the database and follows the chain until it is closed. */
export const startOffchain = async (deps: OffchainDeps, options: OffchainOptions): Promise<Offchain> => {
  const storage = await openOffchainStorage(deps.db, deps.chain.best().hash, deps.onError);
  const submit = async (extrinsic: Uint8Array): Promise<boolean> =>
    (await deps.pool.submit(extrinsic, local)).ok;
  const fetch: RunDeps['fetch'] = (input, init) => globalThis.fetch(input, init);
  const allowed = options.offchainHttp ?? [];
  const isAuthority = isAuthorityBy(options);
  const workers = isOn(options)
    ? createWorkers({ ...deps, storage, submit, isAuthority, fetch, allowed })
    : null;
  const stop = deps.chain.onEvent(follow(storage, workers, options.offchainIndexing ?? false));
  return {
    storage,
    idle: async () => workers?.idle(),
    close: async () => {
      stop();
      await workers?.close();
      await storage.flush();
    },
  };
};
