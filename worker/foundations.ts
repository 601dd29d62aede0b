import { quoteName } from '../src/protocol/chain-id.ts';
import { NodeError } from '../src/protocol/errors.ts';
import type { NodeConfig } from '../src/protocol/node.ts';
import { beginClock, type Clock, createClock, loadClockState } from './author/clock.ts';
import { type Chain, createChain } from './chain/chain.ts';
import { createSubstitutes } from './chain/genesis/code-substitutes.ts';
import { sourceCode } from './chain/genesis/genesis.ts';
import { checkHead, openTree } from './chain/genesis/open.ts';
import { type Sourced, sourceSpec } from './chain/genesis/source.ts';
import type { Verifier } from './chain/import/verify.ts';
import { createNetworkRule, type NetworkRule } from './chain/network-rule.ts';
import { openTrieStore, type TrieStore } from './chain/states/trie-store.ts';
import type { Closers } from './closers.ts';
import { createEngines } from './consensus/engines.ts';
import { createEquivocations, type Equivocations, loadEvidence } from './consensus/equivocations.ts';
import { createGrandpa, type Grandpa } from './consensus/grandpa/grandpa.ts';
import { createVerifier, type VerifierDeps } from './consensus/verifier.ts';
import type { Crypto } from './crypto/crypto.ts';
import type { StartSignatureWorker } from './crypto/signature-helper.ts';
import type { Database } from './db/database.ts';
import type { Salvage } from './db/salvage.ts';
import {
  createImpersonation,
  type Impersonation,
  impersonationPut,
  loadImpersonation,
} from './dev/impersonation.ts';
import { loadSnapshots, type Snapshots } from './dev/snapshot.ts';
import type { BatchedSignatures, BatchSignatures } from './executor/batched-signatures.ts';
import type { Unzstd } from './executor/code-blob.ts';
import { createExecutor, type Executor } from './executor/executor.ts';
import { createSignatureCache, type SignatureCache } from './executor/signature-cache.ts';
import type { PrepareDeps, PreparedFork } from './fork/open.ts';
import { createKeystore, type Keystore } from './keystore/keystore.ts';

/** What the environment provides. Only this differs between the entries for browsers and Node.js. */
export type Platform = {
  loadCrypto(): Promise<Crypto>;
  openDatabase(config: Pick<NodeConfig, 'storage' | 'seizes'>): Promise<Database>;
  /** Opens a database that may be damaged, for a repair. */
  openDamaged(storage: NodeConfig['storage']): Promise<Salvage>;
  /** The code blob of the default runtime. */
  loadRuntime(): Promise<Uint8Array>;
  /** The text of docs/openrpc.json. */
  loadOpenRpc(): Promise<string>;
  /** Locks the database for writing. Returns the function that releases it; throws `ChainInUse`. */
  lock(config: Pick<NodeConfig, 'storage' | 'seizes'>): Promise<() => void>;
  now(): number;
  schedule(ms: number, run: () => void): () => void;
  /** The platform's own zstd, if it has a synchronous one. */
  readonly unzstd?: Unzstd;
  /** Compresses at the level of native nodes, if the platform has libzstd. */
  readonly zstd?: (bytes: Uint8Array) => Uint8Array;
  onError(error: unknown): void;
  /** Starts the helper that verifies signatures. Null: there is no second core. Default: that of a browser. */
  readonly startSignatureWorker?: StartSignatureWorker;
  /** Memory limit for trie nodes that have not been moved out of their journals. */
  readonly journalBytes?: number;
  /** Opens the live chain of a fork. Default: over the network. */
  readonly openOrigin?: PrepareDeps['openOrigin'];
  /** How to open what all forks beside a chain's storage share; null if there is none. Default: there is none. */
  readonly nodeStoreOf?: (storage: NodeConfig['storage']) => PrepareDeps['openNodeStore'];
  /** Keeps the thread awake for a moment. Called after each message of a client. */
  readonly stayAwake?: () => void;
};

const defaultCacheBytes = 64 * 1024 * 1024;
const defaultJournalBytes = 16 * 1024 * 1024;

const authoringKeys = [
  ['babe', 'sr25519'],
  ['aura', 'sr25519'],
  ['gran', 'ed25519'],
] as const;

/** A path of hard junctions, which always derives a key from the development phrase. */
const isDevelopment = (suri: string): boolean => /^(\/\/[^/]+)+$/.test(suri);

/**
 * Adds the keys that authoring needs before the runtime can report its other session key types. Throws
 * `BadKey`.
 */
const fillKeystore = (keystore: Keystore, suris: readonly string[]): void => {
  for (const suri of suris)
    for (const [keyType, scheme] of authoringKeys)
      if (isDevelopment(suri)) keystore.insertLater(keyType, scheme, suri);
      else keystore.insertSuri(keyType, scheme, suri, { isKept: false });
};

/** The parts on which all others depend: the chain, its keys, its clock. */
export type Foundations = {
  readonly crypto: Crypto;
  readonly chain: Chain;
  /** Null: the chain is no fork. */
  readonly fork: PreparedFork | null;
  readonly executor: Executor;
  readonly grandpa: Grandpa;
  readonly keystore: Keystore;
  readonly engines: ReturnType<typeof createEngines>;
  readonly equivocations: Equivocations;
  readonly signatures: SignatureCache;
  readonly batchSignatures: BatchSignatures;
  readonly clock: Clock;
  readonly rule: NetworkRule;
  readonly impersonation: Impersonation;
  readonly snapshots: Snapshots;
  /**
   * Whether the next block's records could be read; rejects with `StorageBroken`. Await it before the node is
   * used: other parts are created during the reads.
   */
  readonly checked: Promise<void>;
};

/** Loaded while the lock is awaited and the database opens. */
export type Loading = {
  readonly crypto: Promise<Crypto>;
  readonly executor: Promise<Executor>;
  readonly code: Promise<Uint8Array> | null;
};

export const startLoading = (platform: Platform, config: Pick<NodeConfig, 'chain'>): Loading => {
  const code = typeof config.chain === 'string' ? platform.loadRuntime() : null;
  const crypto = platform.loadCrypto();
  const { unzstd } = platform;
  const executor = crypto.then((made) => createExecutor({ crypto: made }, unzstd && { unzstd }));
  // Prevents unhandled rejections; the awaiting caller reports the error.
  for (const one of [code, crypto, executor]) one?.catch(() => undefined);
  return { crypto, code, executor };
};

/** Loads the code, and compiles the runtime with which the chain began, before the lock is acquired. */
export const prepareLoading = (platform: Platform, chain: NodeConfig['chain']): Loading => {
  const loading = startLoading(platform, { chain });
  const compile = async (): Promise<void> => {
    if (typeof chain === 'object' && 'fork' in chain) return;
    const crypto = await loading.crypto;
    const { spec } = await sourceSpec(crypto, chain, () => loading.code ?? platform.loadRuntime());
    const code = sourceCode(spec.genesis);
    (await loading.executor).load(crypto.blake2b256(code), code);
  };
  // The start reports the error.
  compile().catch(() => undefined);
  return loading;
};

/** The live chain of a fork; null for any other chain. Its code is loaded only then. */
const loadFork = async (
  platform: Platform,
  { chain, statePruning, clock, storage }: NodeConfig,
  db: Database,
  crypto: Crypto,
): Promise<PreparedFork | null> => {
  if (typeof chain === 'string' || !('fork' in chain)) return null;
  // Nodes that are read from the live chain have no count of their places, so none may be deleted.
  const states = typeof statePruning === 'object' ? statePruning.ifNew : statePruning;
  if (states !== undefined && states !== 'archive')
    throw new NodeError('BadConfig', 'A fork keeps all states: leave out the setting that prunes them');
  if (typeof clock === 'object')
    throw new NodeError(
      'BadConfig',
      'A fork continues at the time of its base: leave out the start of its clock',
    );
  const { createPlatformOrigin } = await import('./origin/platform-origin.ts');
  const { prepareFork } = await import('./fork/open.ts');
  const openOrigin: PrepareDeps['openOrigin'] =
    platform.openOrigin ??
    ((...of) => createPlatformOrigin({ ...platform, blake2b256: crypto.blake2b256 }, ...of));
  const openNodeStore = platform.nodeStoreOf?.(storage) ?? null;
  return prepareFork({ ...platform, crypto, db, openOrigin, openNodeStore }, chain.fork);
};

const openNodes = (
  platform: Platform,
  config: NodeConfig,
  db: Database,
  { blake2b256 }: Crypto,
  fork: PreparedFork | null,
): Promise<TrieStore> =>
  openTrieStore(db, {
    blake2b256,
    origin: fork?.nodes,
    cacheBytes: config.cacheBytes ?? defaultCacheBytes,
    journalBytes: platform.journalBytes ?? defaultJournalBytes,
    statePruning: config.statePruning,
    onError: platform.onError,
  });

/** Throws `BadSpec`. Fields that have no effect are reported, but do not keep the chain from opening. */
const loadSpec = async (
  platform: Platform,
  { chain }: Pick<NodeConfig, 'chain'>,
  loading: Loading,
): Promise<Sourced> => {
  const sourced = await sourceSpec(await loading.crypto, chain, () => loading.code ?? platform.loadRuntime());
  const names = sourced.spec.unknown.map(quoteName).join(', ');
  const text = `The chain specification has fields without effect: ${names}`;
  if (names !== '') platform.onError(new NodeError('Unsupported', text));
  return sourced;
};

const verifierFor = (
  { verifyOwnBlocks = false, trustBlocks = false }: NodeConfig,
  parts: Pick<VerifierDeps, 'crypto' | 'clock' | 'equivocations' | 'isLive'>,
  chain: () => Chain,
): Verifier =>
  createVerifier({
    ...parts,
    verifyOwnBlocks,
    trustBlocks,
    view: {
      loadHeader: (hash) => chain().view.loadHeader(hash),
      readState: (hash, read) => chain().view.readState(hash, read),
    },
  });

const batcherOf = ({ startSignatureWorker }: Platform, signatures: SignatureCache): BatchSignatures => {
  const load = async (): Promise<BatchedSignatures> => {
    const [{ findSignatureHelper }, batched] = await Promise.all([
      import('./crypto/signature-helper.ts'),
      import('./executor/batched-signatures.ts'),
    ]);
    return batched.batchSignatures(signatures, findSignatureHelper(startSignatureWorker));
  };
  return () => load().catch(() => null);
};

export const openChain = async (
  platform: Platform,
  config: NodeConfig,
  db: Database,
  loading: Loading,
  closers?: Closers,
): Promise<Foundations> => {
  const crypto = await loading.crypto;
  const fork = await loadFork(platform, config, db, crypto);
  closers?.add(async () => fork?.close());
  const keystore = createKeystore({ crypto, db, onError: platform.onError });
  const [executor, clockState, impersonated, store, snapshots, evidence] = await Promise.all([
    loading.executor,
    loadClockState(db),
    loadImpersonation(db),
    openNodes(platform, config, db, crypto, fork),
    loadSnapshots(db),
    loadEvidence(db),
    keystore.load(),
  ]);
  fillKeystore(keystore, config.keys);
  const clock = createClock(platform.now, clockState, config.clock ?? 'chain');
  const engines = createEngines({ ...clock, crypto, keystore, authorsForOthers: fork !== null });
  const ofEveryone = config.mockSignatures ?? false;
  // After the first start with this option, blocks may contain mock signatures.
  const isTainted = impersonated.isTainted || ofEveryone;
  const impersonation = createImpersonation({ ...impersonated, isTainted }, ofEveryone);
  const signatures = impersonation.over(createSignatureCache());
  const batchSignatures = batcherOf(platform, signatures);
  const { spec, identity } = fork ?? (await loadSpec(platform, config, loading));
  const substitute = createSubstitutes({ executor, crypto }, spec.rules.substitutes);
  const { isNew, ...opened } = await (fork?.open(store, executor) ??
    openTree({ crypto, db, executor, store }, spec, identity));
  // What a pack declares was stored with its base.
  if (fork !== null && isNew)
    impersonation.set({ ...(await loadImpersonation(db)), ...(ofEveryone ? { isTainted: true } : {}) });
  if (opened.tree.best().number === 0) await beginClock(clock, db);
  if (ofEveryone) await db.write({ puts: [impersonationPut(impersonation.state())], deletes: [] });
  const grandpa = createGrandpa({ crypto, db });
  const equivocations = createEquivocations(evidence, (batch) => {
    db.write(batch).catch(platform.onError);
  });
  const isLive = spec.chainType === 'Live';
  const rule = createNetworkRule();
  // Blocks of others follow the wall clock, even if those of this node begin in the past.
  const now = () => (rule.isOn() ? platform : clock).now();
  // The chain is created with the verifier, so it exists before the first block is verified.
  const verifier = verifierFor(
    config,
    { crypto, clock: { ...clock, now }, equivocations, isLive },
    () => chain,
  );
  const chain: Chain = createChain(
    {
      ...{ crypto, db, executor, store, verifier, signatures, batchSignatures, rule, substitute },
      finality: grandpa,
      below: fork?.below,
      onError: platform.onError,
      offchainIndexing: config.offchainIndexing ?? false,
      keepsPrunedBranches: config.blocksPruning === 'archive',
      verifyOwnBlocks: config.verifyOwnBlocks ?? false,
    },
    { spec, identity, ...opened },
  );
  const stopReading = fork?.follow(chain, platform.onError);
  if (stopReading !== undefined) closers?.add(stopReading);
  await chain.pinStates(() => snapshots.list().map(([, { finalized }]) => finalized));
  const checked = isNew ? Promise.resolve() : checkHead(chain);
  // Another step may fail before it is awaited.
  checked.catch(() => undefined);
  const own = { engines, equivocations, clock, rule, impersonation, snapshots, checked };
  return { crypto, chain, fork, grandpa, executor, keystore, signatures, batchSignatures, ...own };
};
