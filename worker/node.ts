import { type ErrorCode, NodeError } from '../src/protocol/errors.ts';
import type { BlockJson, Dialect, NodeConfig, NodeStatus, StartInfo } from '../src/protocol/node.ts';
import { type Author, createAuthor } from './author/author.ts';
import { beginClock, type Clock, createClock, loadClockState } from './author/clock.ts';
import { createSealing, type Sealing } from './author/sealing.ts';
import { bytesToHex } from './bytes/hex.ts';
import { type Chain, createChain } from './chain/chain.ts';
import { openNodeStore } from './chain/node-store.ts';
import { openTree } from './chain/open.ts';
import { sourceSpec } from './chain/source.ts';
import { decodeBlockJson, decodeJustificationsJson } from './codec/block-json.ts';
import { createGrandpa, type Grandpa } from './consensus/grandpa/grandpa.ts';
import { createEngines } from './consensus/select.ts';
import type { Crypto } from './crypto/crypto.ts';
import type { Database } from './db/database.ts';
import { createDev, type Dev } from './dev/dev.ts';
import { createImpersonation, type Impersonation, loadImpersonation } from './dev/impersonation.ts';
import { fillSessionKeys } from './dev/session-keys.ts';
import type { Unzstd } from './executor/code-blob.ts';
import { createExecutor, type Executor } from './executor/executor.ts';
import { createSignatureCache, type SignatureCache } from './executor/signature-cache.ts';
import { createKeystore, type Keystore } from './keystore/keystore.ts';
import { createLocalPeer, type LocalPeer } from './network/local-peer.ts';
import { type Offchain, startOffchain } from './offchain/offchain.ts';
import { followChain } from './pool/follow.ts';
import { createPool, type Pool } from './pool/pool.ts';
import { createPropagation, type Propagation } from './pool/propagation.ts';
import { poolOptions } from './pool/settings.ts';
import { createValidator } from './pool/validate.ts';

/** What the place the node runs in provides; the browser and Node.js entries differ only here. */
export type Platform = {
  loadCrypto(): Promise<Crypto>;
  openDatabase(storage: NodeConfig['storage']): Promise<Database>;
  /** The code blob of the default runtime. */
  loadRuntime(): Promise<Uint8Array>;
  /** The text of docs/openrpc.json. */
  loadOpenRpc(): Promise<string>;
  /** Takes the one writer's place; throws `ChainInUse`. Answers the release. */
  lock(storage: NodeConfig['storage']): Promise<() => void>;
  now(): number;
  schedule(ms: number, run: () => void): () => void;
  /** The platform's own zstd, if it has one that answers at once. */
  readonly unzstd?: Unzstd;
  onError(error: unknown): void;
  /** Trie nodes kept in memory beside the database; a default fits browsers. */
  readonly cacheNodes?: number;
};

/** Everything a method of the RPC table may ask for. */
export type NodeParts = {
  readonly chain: Chain;
  readonly grandpa: Grandpa;
  readonly pool: Pool;
  /** Where peers take transactions from. */
  readonly propagation: Propagation;
  readonly author: Author;
  readonly sealing: Sealing;
  readonly keystore: Keystore;
  readonly executor: Executor;
  readonly localPeer: LocalPeer;
  readonly offchain: Offchain;
  readonly crypto: Crypto;
  readonly db: Database;
  readonly dev: Dev;
  /** Resolves once the configured keys lie under every type of the runtime's session keys. */
  readonly sessionKeys: Promise<void>;
  readonly dialect: Dialect;
  readonly config: NodeConfig;
};

export type Node = {
  readonly parts: NodeParts;
  info(): StartInfo;
  status(): Promise<NodeStatus>;
  importBlock(block: BlockJson): Promise<{ readonly hash: string; readonly number: number }>;
  close(): Promise<void>;
};

const defaultCacheNodes = 200_000;

/** What authors need before the runtime can be asked for the other types of session keys. */
const fillKeystore = (keystore: Keystore, keys: readonly string[]): void => {
  for (const suri of keys) {
    keystore.insertSuri('babe', 'sr25519', suri, { isKept: false });
    keystore.insertSuri('aura', 'sr25519', suri, { isKept: false });
    keystore.insertSuri('gran', 'ed25519', suri, { isKept: false });
  }
};

/** The key of the node as a peer lives in the keystore under a type of its own. */
const nodeKeyOf = (keystore: Keystore) => (): Uint8Array =>
  keystore.pairs('node')[0]?.publicKey ?? keystore.generate('node', 'ed25519', null);

type Foundations = {
  readonly crypto: Crypto;
  readonly chain: Chain;
  readonly executor: Executor;
  readonly grandpa: Grandpa;
  readonly keystore: Keystore;
  readonly engines: ReturnType<typeof createEngines>;
  readonly signatures: SignatureCache;
  readonly clock: Clock;
  readonly impersonation: Impersonation;
};

const openChain = async (platform: Platform, config: NodeConfig, db: Database): Promise<Foundations> => {
  // The default runtime comes in while keys and journals are read.
  const loading = typeof config.chain === 'string' ? platform.loadRuntime() : null;
  // Whoever awaits it tells; what fails before must not leave a rejection that nobody hears.
  loading?.catch(() => undefined);
  const crypto = await platform.loadCrypto();
  const keystore = createKeystore({ crypto, db });
  await keystore.load();
  fillKeystore(keystore, config.keys);
  const clock = createClock(platform.now, await loadClockState(db), config.clock ?? 'chain');
  const engines = createEngines({ ...clock, crypto, keystore });
  const impersonation = createImpersonation(await loadImpersonation(db));
  const signatures = impersonation.over(createSignatureCache());
  const executor = createExecutor(
    { crypto },
    platform.unzstd === undefined ? {} : { unzstd: platform.unzstd },
  );
  const store = await openNodeStore(db, { cacheNodes: platform.cacheNodes ?? defaultCacheNodes });
  const { spec, identity } = await sourceSpec(crypto, config.chain, () => loading ?? platform.loadRuntime());
  const opened = await openTree({ crypto, db, executor, store }, spec, identity);
  if (opened.tree.best().number === 0) await beginClock(clock, db);
  const grandpa = createGrandpa({ crypto, db });
  const chain = createChain(
    {
      crypto,
      db,
      executor,
      store,
      verifier: engines.verifier,
      finality: grandpa,
      signatures,
      onError: platform.onError,
      offchainIndexing: config.offchainIndexing ?? false,
      verifyOwnBlocks: config.verifyOwnBlocks ?? false,
    },
    { spec, identity, ...opened },
  );
  return { crypto, chain, grandpa, executor, keystore, engines, signatures, clock, impersonation };
};

const createStatus = async (parts: NodeParts, info: StartInfo): Promise<NodeStatus> => {
  const { chain, pool, sealing, author, config } = parts;
  const runtime = await chain.runtimeAt(chain.best().hash);
  const finalized = chain.finalized();
  return {
    ...info,
    finalizedNumber: finalized.number,
    finalizedHash: finalized.hash,
    ready: pool.readyCount(),
    future: pool.futureCount(),
    seal: sealing.mode(),
    finality: author.finality(),
    storage: config.storage.kind,
    specName: runtime.version.specName,
    specVersion: runtime.version.specVersion,
    modified: await parts.dev.isModified(),
    impersonated: parts.dev.impersonated().map(bytesToHex),
  };
};

const authoringTypes = ['babe', 'aura'] as const;

/** Whom the chain's blocks come from and go to: pool, author, seal mode. */
const createWork = (platform: Platform, config: NodeConfig, base: Foundations) => {
  const { chain, crypto, keystore, signatures } = base;
  const { now, schedule, onError } = platform;
  const pool = createPool(
    {
      validate: createValidator({ chain, signatures }),
      hash: crypto.blake2b256,
      now,
      bestNumber: () => chain.best().number,
      onError,
    },
    {
      ...poolOptions(config.chain, config.pool),
      isAuthor: () => authoringTypes.some((type) => keystore.pairs(type).length > 0),
    },
  );
  const propagation = createPropagation({ pool });
  const following = followChain({ chain, pool, onError });
  const author = createAuthor(
    {
      chain,
      pool,
      crypto,
      signatures,
      selectEngine: base.engines.select,
      settled: following.settled,
    },
    config,
  );
  const onFailure = (failure: { readonly code: ErrorCode | 'EmptyPool'; readonly message: string }): void =>
    onError(new NodeError(failure.code === 'EmptyPool' ? 'Aborted' : failure.code, failure.message));
  const sealing = createSealing({ author, pool, now: base.clock.now, schedule, onFailure }, config.seal);
  return { pool, propagation, following, author, sealing };
};

const createInfo = ({ spec, genesisHash, best }: Chain): StartInfo => {
  const { hash, number } = best();
  return { chainName: spec.name, genesisHash, bestHash: hash, bestNumber: number };
};

const assemble = async (
  platform: Platform,
  config: NodeConfig,
  db: Database,
  release: () => void,
): Promise<Node> => {
  const base = await openChain(platform, config, db);
  const { crypto, chain, grandpa, executor, keystore } = base;
  const { pool, propagation, following, author, sealing } = createWork(platform, config, base);
  const peerKey = nodeKeyOf(keystore);
  const offchain = await startOffchain({ ...platform, db, chain, pool, keystore, peerKey }, config);
  const { dialect } = config;
  const { settled } = following;
  const { forgetClaims } = base.engines;
  const dev = await createDev({
    ...base,
    pool,
    author,
    sealing,
    db,
    wallMs: platform.now,
    settled,
    forgetClaims,
  });
  const sessionKeys = fillSessionKeys({ chain, keystore }, config.keys).catch(platform.onError);
  const parts: NodeParts = {
    chain,
    grandpa,
    pool,
    propagation,
    author,
    sealing,
    keystore,
    executor,
    localPeer: createLocalPeer({ publicKey: peerKey }),
    offchain,
    crypto,
    db,
    dev,
    sessionKeys,
    dialect,
    config,
  };
  return {
    parts,
    info: () => createInfo(chain),
    status: () => createStatus(parts, createInfo(chain)),
    importBlock: async (json) => {
      const finalize = author.finality().kind === 'instant';
      const justifications = decodeJustificationsJson(json);
      const options = { finalize, justifications, isFromFile: true };
      const result = await chain.import(decodeBlockJson(json), options);
      if (!result.ok) throw new NodeError(result.code, result.message);
      return { hash: result.hash, number: result.number };
    },
    close: async () => {
      sealing.close();
      await author.idle();
      await sessionKeys;
      await offchain.close();
      following();
      propagation.close();
      pool.close();
      await keystore.flush();
      await chain.close();
      await db.close();
      release();
    },
  };
};

/** Builds the node from the bottom up; `close` takes it down in reverse. */
export const createNode = async (platform: Platform, config: NodeConfig): Promise<Node> => {
  const release = await platform.lock(config.storage);
  let db: Database | null = null;
  try {
    db = await platform.openDatabase(config.storage);
    return await assemble(platform, config, db, release);
  } catch (error) {
    await db?.close();
    release();
    throw error;
  }
};
