import type { ForkSource } from '../../src/protocol/fork-source.ts';
import type { Origin } from '../chain/origin.ts';
import type { NodeOrigin } from '../chain/states/node-origin.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Database } from '../db/database.ts';
import { createNodeStore, type NodeStoreDeps } from '../db/node-store.ts';
import { createBelow, type PackedBelow } from './blocks-below.ts';
import { createLiveNodes } from './live-nodes.ts';
import { createKeyNames } from './reads/key-names.ts';
import { type ReportedOrigin, reportProgress } from './reads/progress.ts';
import { commonNames } from './reads/warm-up.ts';
import type { ForkRecord } from './record.ts';
import type { LearnedReads } from './shared/learned-reads.ts';
import { createSharedStore, noSharedStore, type SharedStore } from './shared/shared-store.ts';
import { storeNodes } from './shared/stored-nodes.ts';
import { shareProofs } from './shared-proofs.ts';
import { noNetwork, proveNothing } from './without-network.ts';

export type AccessDeps = {
  readonly crypto: Crypto;
  readonly db: Database;
  /** Throws `BadConfig`. `genesisHash`: that the chain must have; `title`: its name, if it has a known one. */
  readonly openOrigin: (
    endpoints: ForkSource['endpoints'],
    genesisHash: Uint8Array | null,
    title: string | null,
  ) => Origin;
  /** Opens the store that all forks share; null: there is none. */
  readonly openNodeStore: NodeStoreDeps['open'] | null;
  now(): number;
  schedule(ms: number, run: () => void): () => void;
  onError(error: unknown): void;
};

/** From where a fork reads: its live chain, and what all forks share. */
export type Access = {
  /** Null: nothing is read from the live chain. */
  readonly origin: Origin | null;
  /** Tells who shows progress from where it has the names of the storage. Null: nobody does. */
  readonly nameBy: ReportedOrigin['nameBy'] | null;
  readonly shared: SharedStore;
  /** Why nothing is read from it: the end of a sentence. */
  readonly whyNot: string;
  /** The nodes of the base of a record, whichever it is at the time. */
  nodesOf(record: () => ForkRecord, learned: LearnedReads): NodeOrigin;
  belowOf(record: () => ForkRecord): PackedBelow;
  close(): Promise<void>;
};

const defaultSharedBytes = 256 * 1024 * 1024;

const openShared = (deps: AccessDeps, { sharedBytes = defaultSharedBytes }: ForkSource): SharedStore => {
  const { openNodeStore, crypto, now, schedule, onError } = deps;
  if (openNodeStore === null || sharedBytes === 0) return noSharedStore;
  const store = createNodeStore({ open: openNodeStore, now, schedule, onError }, sharedBytes);
  return createSharedStore(store, crypto.blake2b256);
};

const connect = (
  { openOrigin, schedule, crypto }: AccessDeps,
  { endpoints, progress, expected, offline = false }: ForkSource,
  genesisHash: BlockHash | null,
): Pick<Access, 'origin' | 'nameBy'> => {
  if (offline || endpoints.length === 0) return { origin: null, nameBy: null };
  const hash = expected === undefined ? genesisHash : (expected.genesisHash as BlockHash);
  const opened = openOrigin(
    endpoints,
    hash === null ? null : blockHashToBytes(hash),
    expected?.title ?? null,
  );
  if (progress === undefined) return { origin: opened, nameBy: null };
  const names = createKeyNames(crypto);
  names.add(commonNames);
  const origin = reportProgress(opened, progress, schedule, names);
  return { origin, nameBy: origin.nameBy };
};

/** `genesisHash`: of the chain that it must be; null: any. Throws `BadConfig`. */
export const openAccess = (deps: AccessDeps, source: ForkSource, genesisHash: BlockHash | null): Access => {
  const { crypto, db } = deps;
  const { origin, nameBy } = connect(deps, source, genesisHash);
  const shared = openShared(deps, source);
  const whyNot = noNetwork(source.offline ?? false);
  return {
    origin,
    nameBy,
    shared,
    whyNot,
    nodesOf: (record, learned) => {
      if (origin === null) return storeNodes({ prove: proveNothing(record, whyNot) }, db, shared);
      const base = (): Uint8Array => blockHashToBytes(record().base.hash);
      const live = createLiveNodes(origin, crypto.blake2b256, { base, limit: 0 });
      const noted: NodeOrigin['prove'] = (missing) => {
        learned.note(missing);
        return live.prove(missing);
      };
      const { stored, prove } = storeNodes({ prove: noted }, db, shared);
      return { stored, prove: shareProofs(prove) };
    },
    belowOf: (record) => createBelow({ db, origin, record, whyNot }),
    close: async () => {
      origin?.close();
      await shared.close();
    },
  };
};
