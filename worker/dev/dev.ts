import { NodeError } from '../../src/protocol/errors.ts';
import type { Author } from '../author/author.ts';
import { type Clock, clockPut } from '../author/clock.ts';
import type { Finality } from '../author/finality-mode.ts';
import type { Sealing } from '../author/sealing.ts';
import { Reader } from '../bytes/reader.ts';
import type { Chain } from '../chain/chain.ts';
import type { NetworkRule } from '../chain/network-rule.ts';
import type { BlockRef } from '../chain/tree.ts';
import { type BlockHash, bytesToBlockHash } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { itemPrefix } from '../crypto/storage-keys.ts';
import { type BatchBuilder, createBatch, type Database } from '../db/database.ts';
import type { SignatureCache } from '../executor/signature-cache.ts';
import type { Keystore } from '../keystore/keystore.ts';
import type { Pool } from '../pool/pool.ts';
import type { BlockRange, Budget } from './chain-file.ts';
import type { DryRan, DryRunOf } from './dry-run.ts';
import { isEdited } from './edited.ts';
import type { Funded } from './fund.ts';
import {
  type Impersonation,
  type ImpersonationState,
  impersonating,
  impersonationPut,
  noImpersonation,
} from './impersonation.ts';
import { holdingBlocks, type ImportChain } from './import-hold.ts';
import { createRehearse, type OneRehearsalDeps, type Rehearse } from './one-rehearsal.ts';
import type { PreparedBase } from './rebase.ts';
import type { Snapshot, Snapshots } from './snapshot.ts';
import type { NamedStorage, StoragePair } from './storage-names.ts';

export type DevDeps = Pick<OneRehearsalDeps, 'executor' | 'zstd' | 'origin'> & {
  readonly chain: Chain;
  readonly pool: Pool;
  readonly author: Author;
  readonly sealing: Pick<Sealing, 'mode'>;
  readonly finality: Pick<Finality, 'mode'>;
  readonly clock: Clock;
  readonly rule: NetworkRule;
  readonly keystore: Keystore;
  readonly impersonation: Impersonation;
  readonly signatures: SignatureCache;
  readonly crypto: Crypto;
  readonly db: Database;
  readonly snapshots: Snapshots;
  readonly wallMs: () => number;
  /** Makes the slots available again that were claimed after the block that the chain goes back to. */
  readonly forgetClaims: () => void;
  /** Resolves when the pool has processed every block announced so far. */
  readonly settled: () => Promise<void>;
};

/**
 * The features of a development chain outside consensus: moves its head, its clock and its state, and goes
 * back in time.
 */
export type Dev = {
  /** `resubmit`: whether transactions of the blocks behind go back into the pool. Throws `UnknownBlock`. */
  setHead(hash: BlockHash, resubmit: boolean): Promise<void>;
  /** Resets head, state, pool and clock to genesis. Snapshots are kept. */
  reset(): Promise<BlockRef>;
  /**
   * The chain time of the next block will be at least this (ms since 1970). Throws `Unsupported` for the past
   * and in seal mode `slots`.
   */
  timeTravel(ms: number): Promise<number>;
  /** Adds a dev state to a block's state. Throws `UnknownBlock`, `Unsupported`. */
  setStorage(hash: BlockHash, pairs: readonly StoragePair[]): Promise<void>;
  /**
   * Resolves names and values with the metadata of a block's runtime. Throws `BadValue`, `Unsupported`,
   * `LimitReached`.
   */
  readStorage(hash: BlockHash, storage: NamedStorage): Promise<StoragePair[]>;
  /** Throws `UnknownBlock`, `Unsupported`, `NoClaimableKey`, `RuntimeTrap`, `OutOfFuel`. */
  dryRun(hash: BlockHash, what: DryRunOf, withHooks: boolean): Promise<DryRan>;
  /** Throws `LimitReached`. */
  impersonate(account: Uint8Array, enabled: boolean): Promise<void>;
  /** Throws `LimitReached`. */
  snapshot(name: string): Promise<Snapshot>;
  listSnapshots(): readonly (readonly [name: string, snapshot: Snapshot])[];
  /** Throws `UnknownSnapshot`. */
  restore(name: string): Promise<Snapshot>;
  deleteSnapshot(name: string): Promise<boolean>;
  impersonated(): readonly Uint8Array[];
  /** The earliest time of the next block, in ms since 1970; 0 if the clock was not moved. */
  clockMovedToMs(): number;
  /** Whether mock signatures are valid for every account while this node runs. */
  readonly mockSignatures: boolean;
  /**
   * Whether the best chain contains something that other nodes would reject: a dev state, or an
   * impersonation.
   */
  isModified(): Promise<boolean>;
  /**
   * Sets a free balance: by a sudo extrinsic in a block if the keystore holds the sudo key, else by a dev
   * state.
   */
  fund(account: Uint8Array, amount: bigint): Promise<Funded>;
  exportChain(format: 'json' | 'binary', range: BlockRange, budget: Budget): Promise<string>;
  /** Throws at the first refused block. Meanwhile the node seals none and does not move its head. */
  readonly importChain: ImportChain;
  /** Continues a fork from another base, which `prepare` reads while no block is built. Snapshots are deleted. */
  rebase(prepare: () => Promise<PreparedBase>): Promise<void>;
  readonly rehearse: Rehearse;
};

/** Chain time of a state by pallet-timestamp; null if the runtime has none. */
export const readChainTime = async ({
  chain,
  crypto,
}: Pick<DevDeps, 'chain' | 'crypto'>): Promise<number | null> => {
  const key = itemPrefix(crypto, 'Timestamp', 'Now');
  const bytes = await chain.withState(chain.best().hash, (backend) => backend.get(key));
  return bytes?.length === 8 ? Number(new Reader(bytes).u64()) : null;
};

const timeTravel = async (deps: DevDeps, ms: number): Promise<number> => {
  deps.rule.refuse('Chain time follows the clock');
  if (deps.sealing.mode().kind === 'slots')
    throw new NodeError('Unsupported', 'In seal mode `slots` the wall clock gives the time');
  const present = await readChainTime(deps);
  if (present !== null && ms <= present)
    throw new NodeError(
      'Unsupported',
      `Chain time moves forward only, and it is ${new Date(present).toISOString()} now: go back to an earlier block with dev_setHead`,
    );
  const state = deps.clock.stateAt(ms);
  await deps.db.write({ puts: [clockPut(state)], deletes: [] });
  deps.clock.set(state);
  return ms;
};

const takeSnapshot = async (deps: DevDeps): Promise<Snapshot> => {
  const { chain, pool, db } = deps;
  await deps.settled();
  // A start submits the stored transactions in the background.
  await pool.filled();
  await deps.keystore.flush();
  const keys = await db.range('keystore');
  const { hash, number } = chain.best();
  const finalized = chain.finalized();
  return {
    head: { hash, number },
    finalized: { hash: finalized.hash, number: finalized.number },
    takenMs: deps.wallMs(),
    clock: deps.clock.state(),
    overrides: new Map(chain.overrides()),
    impersonation: deps.impersonation.state(),
    pool: [...pool.ready(), ...pool.future()].map(({ extrinsic, source }) => ({ extrinsic, source })),
    offchain: await db.range('offchain'),
    keys: keys.map(([name]) => name),
  };
};

type Past = Pick<Snapshot, 'clock' | 'overrides' | 'pool' | 'offchain'> & {
  readonly impersonation: ImpersonationState;
  readonly head: BlockHash;
  readonly finalized: BlockHash;
};

/** Restores everything except the pool, which is in memory, in the transaction that moves the head. */
const draftPast = async (db: Database, past: Past): Promise<BatchBuilder> => {
  const batch = createBatch();
  for (const [key] of await db.range('offchain')) batch.deletes.push(['offchain', key]);
  for (const [key, value] of past.offchain) batch.puts.push(['offchain', key, value]);
  batch.puts.push(clockPut(past.clock), impersonationPut(past.impersonation));
  return batch;
};

const goBack = (deps: DevDeps, past: Past): Promise<void> =>
  deps.author.between(async () => {
    const { chain, pool } = deps;
    await deps.settled();
    // If mock signatures are valid for everyone, the next block may contain another one.
    const isTainted = past.impersonation.isTainted || deps.impersonation.ofEveryone;
    const impersonation = { ...past.impersonation, isTainted };
    const extra = await draftPast(deps.db, { ...past, impersonation });
    const { head, finalized, overrides } = past;
    await chain.move({ head, finalized, overrides, extra, resubmit: false });
    deps.clock.set(past.clock);
    deps.forgetClaims();
    deps.impersonation.set(impersonation);
    await pool.replace(past.pool);
  });

const need = (snapshots: Snapshots, name: string): Snapshot => {
  const snapshot = snapshots.get(name);
  if (snapshot === null) throw new NodeError('UnknownSnapshot', `There is no snapshot "${name}"`);
  return snapshot;
};

/** Blocks off the best chain that snapshots refer to. They are never pruned. */
export const keptForSnapshots = async (
  chain: Pick<Chain, 'loadHashAt' | 'loadHeader'>,
  snapshots: Snapshots,
): Promise<ReadonlySet<BlockHash>> => {
  const kept = new Set<BlockHash>();
  for (const [, { head }] of snapshots.list()) {
    let { hash, number } = head;
    while (number > 0 && !kept.has(hash) && (await chain.loadHashAt(number)) !== hash) {
      kept.add(hash);
      const header = await chain.loadHeader(hash);
      if (header === null) break;
      hash = bytesToBlockHash(header.parentHash);
      number = header.number - 1;
    }
  }
  return kept;
};

const createModified = (deps: DevDeps) => async (): Promise<boolean> =>
  deps.impersonation.state().isTainted || isEdited(deps);

/** Creates the operator's tools of a development chain. */
export const createDev = (deps: DevDeps): Dev => {
  const { chain, pool, author, impersonation, keystore, snapshots } = deps;
  chain.keepPruned(() => keptForSnapshots(chain, snapshots));
  const setStorage: Dev['setStorage'] = (hash, pairs) =>
    author.between(async () => {
      const { lastOfEach } = await import('./storage-names.ts');
      await chain.override(hash, { main: lastOfEach(pairs), children: [], offchain: [] });
      await pool.revalidate();
    });
  return {
    setStorage,
    fund: async (...request) => (await import('./fund.ts')).fund({ ...deps, setStorage }, ...request),
    readStorage: async (...request) => (await import('./read-storage.ts')).readStorage(deps, ...request),
    exportChain: async (format, range, budget) => {
      const { writeChainFile } = await import('./chain-file.ts');
      const chainTimeMs = await readChainTime(deps);
      return writeChainFile({ chain, snapshots, budget, chainTimeMs }, format, range);
    },
    importChain: holdingBlocks(author, async (text) => {
      await author.idle();
      return (await import('./import-chain.ts')).importChain(deps, text);
    }),
    setHead: (hash, resubmit) =>
      author.between(async () => {
        const finalized = deps.finality.mode().kind === 'instant' ? { finalized: hash } : {};
        await chain.move({ head: hash, resubmit, ...finalized });
      }),
    reset: async () => {
      const { hash, number } = chain.base;
      const nothing = { pool: [], offchain: [], impersonation: noImpersonation, overrides: new Map() };
      await goBack(deps, { head: hash, finalized: hash, clock: deps.clock.beginning(), ...nothing });
      return { hash, number };
    },
    rebase: async (prepare) => (await import('./rebase.ts')).rebase(deps, prepare),
    rehearse: createRehearse(deps),
    dryRun: async (...request) => (await import('./dry-run.ts')).dryRun(deps, ...request),
    timeTravel: (ms) => author.between(() => timeTravel(deps, ms)),
    impersonate: async (account, enabled) => {
      deps.rule.refuse('No account is impersonated');
      const next = impersonating(impersonation.state(), account, enabled);
      await deps.db.write({ puts: [impersonationPut(next)], deletes: [] });
      impersonation.set(next);
    },
    snapshot: (name) =>
      author.between(async () => {
        const snapshot = await takeSnapshot(deps);
        await snapshots.put(name, snapshot);
        return snapshot;
      }),
    listSnapshots: snapshots.list,
    restore: async (name) => {
      const snapshot = need(snapshots, name);
      const { head, finalized } = snapshot;
      await goBack(deps, { ...snapshot, head: head.hash, finalized: finalized.hash });
      await keystore.retain(snapshot.keys);
      return snapshot;
    },
    deleteSnapshot: snapshots.delete,
    impersonated: () => impersonation.state().accounts,
    clockMovedToMs: deps.clock.floorMs,
    mockSignatures: impersonation.ofEveryone,
    isModified: createModified(deps),
  };
};
