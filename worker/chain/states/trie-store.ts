import { NodeError } from '../../../src/protocol/errors.ts';
import type { StatePruning, StatePruningChoice } from '../../../src/protocol/node.ts';
import { bytesToKey } from '../../bytes/bytes.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import type { BatchBuilder, Database } from '../../db/database.ts';
import type { Runtime } from '../../executor/executor.ts';
import type { Scans } from '../../state/scans.ts';
import type { PendingRead } from '../../state/trial.ts';
import { startPace } from '../../tasks/pace.ts';
import { MissingNodes, tryAll } from '../../trie/missing-nodes.ts';
import { createNodeCache, type NodeCache } from '../../trie/node-cache.ts';
import { isPacked } from '../../trie/node-pack.ts';
import type { NodeBatch, NodeSource } from '../../trie/node-source.ts';
import { chainKey } from '../store.ts';
import { type Journals, type Mover, type NewNodes, openJournals, sliceCost } from './journals.ts';
import { createLoader, type Loaded, type Loader } from './load-nodes.ts';
import { createMover } from './move-journals.ts';
import type { NodeOrigin } from './node-origin.ts';
import {
  chooseMode,
  decodePruning,
  encodePruning,
  newMode,
  type PruningRecord,
  pruningKey,
} from './pruning-records.ts';
import { createSettler, type Settler } from './settle-journals.ts';

/** The keys that a runtime method read last time. It is likely to read most of them again. */
export type ReadSets = {
  of(runtime: Runtime, method: string): readonly Uint8Array[];
  keep(runtime: Runtime, method: string, keys: readonly Uint8Array[]): void;
};

/** Limit per method: the first keys read, without long ones, take at most 64 KiB. */
const keptKeys = 512;
const longestKey = 128;

export const createReadSets = (): ReadSets => {
  const sets = new WeakMap<Runtime, Map<string, readonly Uint8Array[]>>();
  return {
    of: (runtime, method) => sets.get(runtime)?.get(method) ?? [],
    keep: (runtime, method, keys) => {
      const methods = sets.get(runtime) ?? new Map<string, readonly Uint8Array[]>();
      const kept = keys.filter(({ length }) => length <= longestKey).slice(0, keptKeys);
      sets.set(runtime, methods.set(method, kept));
    },
  };
};

/** Does one piece of work that needs no state while nodes are loaded. False: none is left. */
export type WorkAhead = () => boolean;

/**
 * Predicts further reads after the `misses`th miss of a run. `guesses`: reads that may not be needed cost less than another
 * miss.
 */
export type ReadPredictor = (misses: number, guesses: boolean) => readonly PendingRead[];

const workSliceMs = 1;

/** Trie nodes by hash, from the unmoved journals, a bounded cache of decoded nodes, and the database. */
export type TrieStore = NodeSource &
  Pick<Journals, 'stage' | 'accept'> &
  Pick<Mover, 'settle' | 'flush'> & {
    /** Which states are kept. */
    readonly mode: StatePruning;
    /** Null if all states are kept. */
    readonly settler: Settler | null;
    /** The states of the best chain below this block were deleted, whatever is kept from now on. */
    readonly base: number;
    /** Adds which states are kept to the transaction of a new database. */
    stageMode(batch: BatchBuilder): void;
    readonly cache: NodeCache;
    readonly readSets: ReadSets;
    /** For walks over whole states. Null for a fork: its nodes are proven by keys. */
    readonly scans: (() => Promise<Scans>) | null;
    /** Repeats a synchronous read, loading what it missed in between, until nothing is missing. */
    run<T>(attempt: () => T, predict?: ReadPredictor, workAhead?: WorkAhead): Promise<T>;
    /** Runs a synchronous read once. Returns null if it missed something. */
    tryRun<T>(attempt: () => T): { readonly value: T } | null;
  };

export type TrieStoreOptions = {
  readonly blake2b256: Crypto['blake2b256'];
  /** Memory limit of decoded nodes. */
  readonly cacheBytes: number;
  /** Memory limit of nodes waiting to be moved into the node store. */
  readonly journalBytes: number;
  /** Which states are kept. Default: as the database was created; a new one keeps all. */
  readonly statePruning?: StatePruningChoice | undefined;
  /** Where nodes that the database lacks are read. Default: none, and a node that is missing is damage. */
  readonly origin?: NodeOrigin | undefined;
  readonly onError: (error: unknown) => void;
};

/** Loads which states the database keeps. A database with a chain but without a record keeps all. */
const loadPruning = async (db: Database, wanted: StatePruningChoice | undefined): Promise<PruningRecord> => {
  const stored = await db.get('meta', pruningKey);
  if (stored !== null) {
    const record = decodePruning(stored);
    return { ...record, mode: chooseMode(record.mode, wanted) };
  }
  const isNew = (await db.get('meta', chainKey)) === null;
  return { mode: isNew ? newMode(wanted) : chooseMode('archive', wanted), base: 0, through: 0 };
};

/** Works in slices short enough not to delay what the database returns, until all is loaded or done. */
const workDuring = async (loading: Promise<void>, work: WorkAhead): Promise<void> => {
  let isLoading = true;
  const end = (): void => {
    isLoading = false;
  };
  loading.then(end, end);
  for (let pace = startPace(workSliceMs); isLoading && work(); ) if (pace.isDue()) await pace.pause();
};

const isLost = (error: unknown): boolean => error instanceof NodeError && error.code === 'NotCached';

/** Repeats attempts until the nodes they miss are loaded. */
const createRunner = (loader: Loader, isRemote: boolean) => {
  /**
   * Nodes loaded for the run whose synchronous part is executing. They stay available to it even if the cache
   * evicts them.
   */
  let active: Loaded | null = null;

  const run: TrieStore['run'] = async (attempt, predict, workAhead) => {
    const loaded: Loaded = new Map();
    const within = <T>(work: () => T): T => {
      const outer = active;
      active = loaded;
      try {
        return work();
      } finally {
        active = outer;
      }
    };
    for (let misses = 1; ; misses++) {
      let miss: MissingNodes;
      try {
        return within(attempt);
      } catch (error) {
        if (!(error instanceof MissingNodes)) throw error;
        miss = error;
      }
      // A request to a live chain takes longer than a trial run, whose reads are part of the same request.
      if (!isRemote) await loader.load(miss.nodes, loaded);
      const foresee = (): readonly PendingRead[] =>
        within(() => predict?.(misses, isRemote && misses > 1) ?? []);
      let needed: readonly PendingRead[] = miss.again === null ? [] : [miss.again];
      let predicted = foresee();
      let foresees = isRemote && predict !== undefined;
      let bare = isRemote && miss.again === null ? miss.nodes : [];
      // One database round trip per trie level, regardless of the number of reads.
      for (;;) {
        const tried = within(() => tryAll(needed));
        const ahead = within(() => tryAll(predicted));
        const missing = [...bare, ...tried.missing, ...ahead.missing];
        if (missing.length === 0) break;
        const loading = loader.load(missing, loaded);
        if (workAhead !== undefined) await workDuring(loading, workAhead);
        try {
          await loading;
        } catch (error) {
          // What is only predicted may be lost, and the run may not need it.
          if (ahead.missing.length === 0 || !isLost(error)) throw error;
          predicted = [];
          foresees = false;
          continue;
        }
        bare = bare.filter(({ hash }) => !loaded.has(bytesToKey(hash)));
        needed = tried.left;
        predicted = ahead.left;
        // A trial on what was loaded finds what follows from it.
        if (foresees) {
          misses++;
          predicted = foresee();
        }
      }
    }
  };
  return { run, getActive: (key: string): Uint8Array | undefined => active?.get(key) };
};

/**
 * Nodes above the size of one slice, such as the code of a runtime. An archive writes them to the store of nodes at
 * once instead of into a journal, because every start reads all journals.
 */
const isLarge = ([, bytes]: NodeBatch[number]): boolean => bytes.length >= sliceCost;

export const openTrieStore = async (db: Database, options: TrieStoreOptions): Promise<TrieStore> => {
  const { blake2b256, onError } = options;
  const record = await loadPruning(db, options.statePruning);
  const { mode } = record;
  const journals = await openJournals(db, record.through);
  const moving = { limit: options.journalBytes, onError };
  const settler = mode === 'archive' ? null : await createSettler(db, journals, record, moving);
  const mover = settler ?? createMover(db, journals, moving);
  const loader = createLoader(db, blake2b256, journals, options.origin);
  const cache = createNodeCache(options.cacheBytes);
  const { run, getActive } = createRunner(loader, options.origin !== undefined);
  const isDirect = (node: NodeBatch[number]): boolean => mode === 'archive' && isLarge(node);
  const journaled = (nodes: NewNodes): NewNodes =>
    isPacked(nodes) ? nodes : nodes.filter((node) => !isDirect(node));
  const peek = (key: string): Uint8Array | null => journals.get(key) ?? getActive(key) ?? cache.encoded(key);
  let scans: Scans | null = null;
  const getNode = (hash: Uint8Array): Uint8Array | null =>
    peek(bytesToKey(hash)) ?? scans?.get(hash) ?? loader.now(hash);
  const loadScans = async (): Promise<Scans> => {
    // An import costs something each time.
    if (scans !== null) return scans;
    const { createScans } = await import('../../state/scans.ts');
    scans ??= createScans({
      blake2b256,
      getNode,
      peek: (hash) => peek(bytesToKey(hash)),
      getSome: db.getSome && ((hashes) => db.getSome?.('nodes', hashes) ?? []),
      limitBytes: options.cacheBytes / 2,
      onBytes: cache.reserve,
    });
    return scans;
  };

  return {
    stage: (nodes, batch) => {
      mover.checkRoom();
      if (!isPacked(nodes))
        for (const [hash, bytes] of nodes.filter(isDirect)) batch.puts.push(['nodes', hash, bytes]);
      return journals.stage(journaled(nodes), batch);
    },
    accept: (nodes) => {
      journals.accept(journaled(nodes));
      mover.begin();
    },
    settle: mover.settle,
    flush: mover.flush,
    mode,
    settler,
    base: record.base,
    stageMode: (batch) => {
      if (mode !== 'archive') batch.puts.push(['meta', pruningKey, encodePruning(record)]);
    },
    cache,
    readSets: createReadSets(),
    scans: options.origin === undefined ? loadScans : null,
    getNode,
    run,
    tryRun: (attempt) => {
      try {
        return { value: attempt() };
      } catch (error) {
        if (!(error instanceof MissingNodes)) throw error;
        return null;
      }
    },
  };
};
