import { NodeError } from '../src/protocol/errors.ts';
import type { NodeConfig } from '../src/protocol/node.ts';
import { beginClock, type Clock, createClock, loadClockState } from './author/clock.ts';
import { type Chain, createChain } from './chain/chain.ts';
import { createSubstitutes } from './chain/genesis/code-substitutes.ts';
import { checkHead, openTree } from './chain/genesis/open.ts';
import type { Sourced } from './chain/genesis/spec.ts';
import type { Verifier } from './chain/import/verify.ts';
import { createNetworkRule, type NetworkRule } from './chain/network-rule.ts';
import { openTrieStore, type TrieStore } from './chain/states/trie-store.ts';
import type { Closers } from './closers.ts';
import { createEngines } from './consensus/engines.ts';
import { createEquivocations, type Equivocations, loadEvidence } from './consensus/equivocations.ts';
import { createGrandpa, type Grandpa } from './consensus/grandpa/grandpa.ts';
import { createVerifier, type VerifierDeps } from './consensus/verifier.ts';
import type { Crypto } from './crypto/crypto.ts';
import type { Database } from './db/database.ts';
import {
  createImpersonation,
  type Impersonation,
  impersonationPut,
  loadImpersonation,
} from './dev/impersonation.ts';
import { loadSnapshots, type Snapshots } from './dev/snapshot.ts';
import type { BatchedSignatures, BatchSignatures } from './executor/batched-signatures.ts';
import type { Executor } from './executor/executor.ts';
import { createSignatureCache, type SignatureCache } from './executor/signature-cache.ts';
import type { PrepareDeps, PreparedFork } from './fork/open.ts';
import { createKeystore, type Keystore } from './keystore/keystore.ts';
import { type Loading, loadSpec, rememberSpec } from './loading.ts';
import type { Platform } from './platform.ts';

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
  const sourced: Sourced = fork ?? (await loadSpec(platform, config, { crypto, db }, loading));
  const { spec, identity } = sourced;
  const substitute = createSubstitutes({ executor, crypto }, spec.rules.substitutes);
  const { isNew, ...opened } = await (fork?.open(store, executor) ??
    openTree({ crypto, db, executor, store }, spec, identity, sourced.genesis));
  await rememberSpec(db, sourced, opened.genesisHash);
  // What a pack declares was stored with its base.
  if (fork !== null && isNew)
    impersonation.set({ ...(await loadImpersonation(db)), ...(ofEveryone ? { isTainted: true } : {}) });
  if (opened.tree.best().number === 0) await beginClock(clock, db);
  if (ofEveryone) await db.write({ puts: [impersonationPut(impersonation.state())], deletes: [] });
  const grandpa = createGrandpa({ crypto, db });
  const equivocations = createEquivocations(evidence, (batch) => {
    db.write(batch).catch(platform.onError);
  });
  const rule = createNetworkRule();
  // Blocks of others follow the wall clock, even if those of this node begin in the past.
  const now = () => (rule.isOn() ? platform : clock).now();
  // The chain is created with the verifier, so it exists before the first block is verified.
  const verifier = verifierFor(
    config,
    { crypto, clock: { ...clock, now }, equivocations, isLive: spec.chainType === 'Live' },
    () => chain,
  );
  const chain: Chain = createChain(
    {
      ...{ crypto, db, executor, store, verifier, signatures, batchSignatures, rule, substitute },
      ...{ finality: grandpa, below: fork?.below, onError: platform.onError },
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
