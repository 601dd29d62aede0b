import { type ErrorCode, NodeError } from '../src/protocol/errors.ts';
import type { BlockJson, Dialect, NodeConfig, NodeStatus, StartInfo } from '../src/protocol/node.ts';
import { type Author, createAuthor } from './author/author.ts';
import { createSealing, type Sealing } from './author/sealing.ts';
import { bytesToHex } from './bytes/hex.ts';
import type { Chain } from './chain/chain.ts';
import { decodeBlockJson, decodeJustificationsJson } from './codec/block-json.ts';
import type { Grandpa } from './consensus/grandpa/grandpa.ts';
import type { Crypto } from './crypto/crypto.ts';
import type { Database } from './db/database.ts';
import { createDev, type Dev } from './dev/dev.ts';
import { fillSessionKeys } from './dev/session-keys.ts';
import type { Executor } from './executor/executor.ts';
import { type Foundations, type Loading, openChain, type Platform, startLoading } from './foundations.ts';
import type { Keystore } from './keystore/keystore.ts';
import { createLocalPeer, type LocalPeer } from './network/local-peer.ts';
import { type Offchain, startOffchain } from './offchain/offchain.ts';
import { followChain } from './pool/follow.ts';
import { createPool, type Pool } from './pool/pool.ts';
import { createPropagation, type Propagation } from './pool/propagation.ts';
import { poolOptions } from './pool/settings.ts';
import { createValidator } from './pool/validate.ts';

export type { Platform } from './foundations.ts';

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

/** The key of the node as a peer lives in the keystore under a type of its own. */
const nodeKeyOf = (keystore: Keystore) => (): Uint8Array =>
  keystore.pairs('node')[0]?.publicKey ?? keystore.generate('node', 'ed25519', null);

const createStatus = async (parts: NodeParts, info: StartInfo): Promise<NodeStatus> => {
  const { chain, pool, sealing, author, config } = parts;
  const runtime = await chain.runtimeAt(chain.best().hash);
  const fault = sealing.fault();
  return {
    ...info,
    finalizedHash: chain.finalized().hash,
    ready: pool.readyCount(),
    future: pool.futureCount(),
    seal: sealing.mode(),
    sealFault: fault === null ? null : { code: fault.code, message: fault.message },
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

const createInfo = ({ spec, genesisHash, best, finalized }: Chain): StartInfo => {
  const { hash, number } = best();
  const { number: finalizedNumber } = finalized();
  return { chainName: spec.name, genesisHash, bestHash: hash, bestNumber: number, finalizedNumber };
};

const assemble = async (
  platform: Platform,
  config: NodeConfig,
  db: Database,
  loading: Loading,
  release: () => void,
): Promise<Node> => {
  const base = await openChain(platform, config, db, loading);
  const { crypto, chain, grandpa, executor, keystore } = base;
  const { pool, propagation, following, author, sealing } = createWork(platform, config, base);
  const peerKey = nodeKeyOf(keystore);
  const offchain = await startOffchain({ ...platform, db, chain, pool, keystore, peerKey }, config);
  const { dialect } = config;
  const { settled } = following;
  const { forgetClaims } = base.engines;
  const dev = createDev({
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
  const loading = startLoading(platform, config);
  const release = await platform.lock(config.storage);
  let db: Database | null = null;
  try {
    db = await platform.openDatabase(config.storage);
    return await assemble(platform, config, db, loading, release);
  } catch (error) {
    await db?.close();
    release();
    throw error;
  }
};
