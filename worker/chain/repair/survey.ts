import { NodeError } from '../../../src/protocol/errors.ts';
import { bytesToKey, concatBytes } from '../../bytes/bytes.ts';
import { type BlockHash, bytesToBlockHash } from '../../codec/identity.ts';
import { type Engine, openRecord } from '../../db/checked.ts';
import type { Batch } from '../../db/database.ts';
import { decodeVersion, schemaKey } from '../../db/seal-stores.ts';
import { type StoreName, schemaVersion, storeNames, stores } from '../../db/stores.ts';
import { decodeOverrides, type Overrides, overridesKey } from '../overrides.ts';
import {
  type ChainRecord,
  decodeChainRecord,
  decodeHeaderRecord,
  decodeNumberRecord,
  numberOfKey,
} from '../records.ts';
import { readJournal, sequenceOfKey } from '../states/journals.ts';
import {
  decodePruning,
  decodeSettlement,
  type PruningRecord,
  pruningKey,
  type Settlement,
  settlementKey,
} from '../states/pruning-records.ts';
import { chainKey } from '../store.ts';
import type { BlockMeta, TreeBlock } from '../tree.ts';

/** A block with an intact header. */
export type SurveyedBlock = TreeBlock & { readonly stateRoot: Uint8Array };

/** The intact records of a database, except trie nodes, which the state check verifies. */
export type Survey = {
  readonly record: ChainRecord | null;
  /** Null if the record is damaged or was never written. */
  readonly overrides: Overrides | null;
  /** Null if the record is damaged or was never written: all states are kept. */
  readonly pruning: PruningRecord | null;
  readonly settlement: Settlement | null;
  /** Whether states were pruned, whatever the record says. */
  readonly hasNodeChanges: boolean;
  readonly lastJournal: number;
  readonly hasVersion: boolean;
  readonly blocks: Map<BlockHash, SurveyedBlock>;
  readonly bodies: ReadonlySet<BlockHash>;
  readonly proofs: ReadonlySet<BlockHash>;
  readonly numbers: ReadonlyMap<number, { readonly hash: BlockHash; readonly meta: BlockMeta | null }>;
  /** Trie nodes in the journals, by hash. */
  readonly journaled: ReadonlyMap<string, Uint8Array>;
  readonly snapshots: readonly (readonly [key: Uint8Array, value: Uint8Array])[];
  readonly auxiliary: readonly Uint8Array[];
  /** The damaged records, and their number per store. */
  readonly damaged: Batch['deletes'];
  readonly lost: Readonly<Partial<Record<StoreName, number>>>;
};

/** Number of records per read. */
const pageSize = 256;

type Visit = (key: Uint8Array, value: Uint8Array) => void;

/** Visits the records of a store that verify. `onDamage` receives the keys of the others. */
const visitWhole = async (
  engine: Engine,
  store: StoreName,
  visit: Visit,
  onDamage: (key: Uint8Array) => void,
): Promise<void> => {
  let from: Uint8Array | undefined;
  for (;;) {
    const page = await engine.range(store, { limit: pageSize, ...(from === undefined ? {} : { from }) });
    for (const [key, stored] of page) {
      try {
        visit(key, openRecord(store, key, stored));
      } catch {
        onDamage(key);
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < pageSize) return;
    from = concatBytes(last[0], Uint8Array.of(0));
  }
};

/** The record format has not changed since this version. Later versions only added stores. */
const oldestVersion = 3;

/** Whether the version can be read. Throws `StorageBroken` if the records are in another version's format. */
const checkVersion = async (engine: Engine): Promise<boolean> => {
  const stored = await engine.get('meta', schemaKey);
  let version: number;
  try {
    if (stored === null) return false;
    version = decodeVersion(stored);
  } catch {
    // The version is not needed then: records in another version's format fail verification.
    return false;
  }
  if (version < oldestVersion || version > schemaVersion)
    throw new NodeError(
      'StorageBroken',
      `The database is of version ${version}; this node can repair versions ${oldestVersion} to ${schemaVersion} only`,
    );
  return true;
};

export const surveyDatabase = async (engine: Engine): Promise<Survey> => {
  const hasVersion = await checkVersion(engine);
  const metas = new Map<string, Uint8Array>();
  const blocks = new Map<BlockHash, SurveyedBlock>();
  const [bodies, proofs] = [new Set<BlockHash>(), new Set<BlockHash>()];
  const numbers = new Map<number, { hash: BlockHash; meta: BlockMeta | null }>();
  const journaled = new Map<string, Uint8Array>();
  const snapshots: [Uint8Array, Uint8Array][] = [];
  const auxiliary: Uint8Array[] = [];
  let hasNodeChanges = false;
  let lastJournal = 0;
  const visits: Partial<Record<StoreName, Visit>> = {
    meta: (key, value) => metas.set(bytesToKey(key), value),
    headers: (key, value) => {
      const { header, meta } = decodeHeaderRecord(value);
      const { number, parentHash, stateRoot } = header;
      const hash = bytesToBlockHash(key);
      blocks.set(hash, { hash, number, parent: bytesToBlockHash(parentHash), stateRoot, ...meta });
    },
    bodies: (key) => bodies.add(bytesToBlockHash(key)),
    justifications: (key) => proofs.add(bytesToBlockHash(key)),
    numbers: (key, value) => numbers.set(numberOfKey(key), decodeNumberRecord(value)),
    nodeChanges: () => {
      hasNodeChanges = true;
    },
    journals: (key, value) => {
      lastJournal = sequenceOfKey(key);
      for (const [hash, bytes] of readJournal(value)) journaled.set(hash, bytes);
    },
    snapshots: (key, value) => snapshots.push([key, value]),
    auxiliary: (key) => auxiliary.push(key),
  };
  const damaged: Batch['deletes'][number][] = [];
  const lost: Partial<Record<StoreName, number>> = {};
  for (const store of storeNames) {
    if (stores[store].proof === 'hash') continue;
    await visitWhole(engine, store, visits[store] ?? (() => undefined), (key) => {
      damaged.push([store, key]);
      lost[store] = (lost[store] ?? 0) + 1;
    });
  }
  const chain = metas.get(bytesToKey(chainKey));
  const overrides = metas.get(bytesToKey(overridesKey));
  const pruning = metas.get(bytesToKey(pruningKey));
  const settlement = metas.get(bytesToKey(settlementKey));
  return {
    record: chain === undefined ? null : decodeChainRecord(chain),
    overrides: overrides === undefined ? null : decodeOverrides(overrides),
    pruning: pruning === undefined ? null : decodePruning(pruning),
    settlement: settlement === undefined ? null : decodeSettlement(settlement),
    hasNodeChanges,
    lastJournal,
    hasVersion,
    blocks,
    bodies,
    proofs,
    numbers,
    journaled,
    snapshots,
    auxiliary,
    damaged,
    lost,
  };
};
