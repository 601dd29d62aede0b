import { NodeError } from '../src/protocol/errors.ts';
import type { NodeConfig, NodeStatus, SignedBlockJson, StartInfo } from '../src/protocol/node.ts';
import { createAuthor } from './author/author.ts';
import { createFinalityMode } from './author/finality-mode.ts';
import { createSealing, type SealFault, type Sealing } from './author/sealing.ts';
import { decodeWhole } from './bytes/reader.ts';
import type { Chain } from './chain/chain.ts';
import { type Closers, createClosers } from './closers.ts';
import { readSignedBlock, signedBlockFromJson } from './codec/signed-block.ts';
import { createVotingSwitch } from './consensus/grandpa/voting-switch.ts';
import { startReporting } from './consensus/reporting.ts';
import type { Database } from './db/database.ts';
import { createDev, type Dev, readChainTime } from './dev/dev.ts';
import { createSessionKeys } from './dev/session-keys.ts';
import type { RunningFork } from './fork/running.ts';
import { type Foundations, openChain } from './foundations.ts';
import { type Loading, startLoading } from './loading.ts';
import type { NetworkDeps } from './network/deps.ts';
import { createNetwork, type Network } from './network/lazy-network.ts';
import { createLocalPeer } from './network/local-peer.ts';
import { createNodeKey } from './network/node-key.ts';
import { createSyncing } from './network/syncing.ts';
import type { NodeParts } from './node-parts.ts';
import { startOffchain } from './offchain/offchain.ts';
import type { Platform } from './platform.ts';
import { followChain } from './pool/follow.ts';
import { createPool } from './pool/pool.ts';
import { poolOptions } from './pool/settings.ts';
import { storePool } from './pool/stored.ts';
import { createValidator } from './pool/validate.ts';
import { createInfo, createStatus } from './status.ts';
import { createMonotonicClock, elapsed } from './tasks/timer.ts';

export type { NodeParts } from './node-parts.ts';
export type { Platform } from './platform.ts';

/** `badJustification`: why the justification that came with the block was dropped. */
type ImportedBlock = { readonly hash: string; readonly number: number; readonly badJustification?: string };

export type Node = {
  readonly parts: NodeParts;
  info(): StartInfo;
  status(): Promise<NodeStatus>;
  importBlock(block: SignedBlockJson | Uint8Array, chainTimeMs?: number): Promise<ImportedBlock>;
  close(): Promise<void>;
};

/** TransactionSource::Local. */
const local = 1;

const authoringTypes = ['babe', 'aura'] as const;

/** The parts that produce blocks: pool and author. */
const createWork = (
  platform: Platform,
  config: NodeConfig,
  base: Foundations,
  db: Database,
  { nodeKey, localPeer }: Pick<NetworkDeps, 'localPeer' | 'nodeKey'>,
) => {
  const { chain, crypto, keystore, signatures, batchSignatures } = base;
  const { now, schedule, onError } = platform;
  const isAuthor = (): boolean => authoringTypes.some((type) => keystore.pairs(type).length > 0);
  const pool = createPool(
    {
      validate: createValidator({
        ...{ chain, signatures, batchSignatures },
        readAlong: base.fork?.readAlong ?? null,
      }),
      hash: crypto.blake2b256,
      now: createMonotonicClock(now),
      bestNumber: () => chain.best().number,
      onError,
    },
    {
      ...poolOptions(config.chain, config.pool),
      isAuthor,
    },
  );
  const storedPool = storePool({ db, pool, schedule, onError });
  const following = followChain({ chain, pool, onError });
  const { settled } = following;
  const { equivocations } = base;
  const submit = (extrinsic: Uint8Array) => pool.submit(extrinsic, local);
  const reporting = startReporting({ chain, submit, equivocations, onError });
  const { rule } = base;
  const finality = createFinalityMode(
    { chain, rule, now: elapsed, schedule, settled, onError },
    { chosen: config.finality ?? null, seal: config.seal },
  );
  const selectEngine = base.engines.select;
  const author = createAuthor({
    ...{ chain, pool, crypto, signatures, selectEngine, settled, finality },
    executor: base.executor,
    rule,
    wallMs: now,
    // A block of a live chain may take what its authorities allow it.
    fuel: base.fork === null ? 'import' : 'sealed',
    predictsReads: base.fork !== null,
  });
  const network: Network = createNetwork({
    ...{ ...base, db, pool, schedule, onError, now: elapsed },
    ...{ nodeKey, localPeer, sockets: config.sockets },
    role: () => (isAuthor() ? 'authority' : 'full'),
    isSyncing: () => syncing.isMajor(),
  });
  const syncing = createSyncing({ best: chain.best, peers: network.peers });
  const { gossip } = network;
  const voting = createVotingSwitch(
    { ...base, db, gossip, submit, now: elapsed, schedule, settled, onError },
    finality,
  );
  const closing = [storedPool, reporting, finality, voting, network].map(({ close }) => close);
  const closes = [pool.close, following, ...closing];
  return { pool, storedPool, following, author, finality, voting, network, syncing, closes };
};

type Work = ReturnType<typeof createWork>;

/** May seal a block immediately, so everything that a block needs must exist before. */
const startSealing = (
  { schedule, onError }: Platform,
  config: NodeConfig,
  base: Foundations,
  { author, pool, finality, network }: Work,
): Sealing => {
  const onFailure = ({ code, message, cause }: SealFault): void =>
    onError(new NodeError(code === 'EmptyPool' ? 'Aborted' : code, message, { cause }));
  const onMode = finality.followSeal;
  const chainTime = () => readChainTime(base);
  const { now } = base.clock;
  const findWait = async () => (config.forceAuthoring === true ? null : network.findWait());
  return createSealing({ author, pool, now, chainTime, findWait, schedule, onFailure, onMode }, config.seal);
};

/** Throws `BadBlock` or `BadScale` if it is not a block, or the code with which the block is refused. */
const importBlock = async (
  chain: Chain,
  given: SignedBlockJson | Uint8Array,
  chainTimeMs = 0,
): ReturnType<Node['importBlock']> => {
  const { justifications, ...block } =
    given instanceof Uint8Array ? decodeWhole(given, readSignedBlock) : signedBlockFromJson(given);
  if (!Number.isSafeInteger(chainTimeMs))
    throw new NodeError('BadBlock', 'chainTimeMs is not a whole number of milliseconds');
  const result = await chain.import(block, { justifications, origin: 'file', chainTimeMs });
  if (!result.ok) throw new NodeError(result.code, result.message);
  const { ok: _, isBest: _best, ...imported } = result;
  return imported;
};

/** What a node does only with others is off before it connects with them. */
const createJoining = (
  platform: Platform,
  config: NodeConfig,
  base: Foundations,
  { finality, network }: Work,
): Pick<NodeParts, 'joinNetwork' | 'leaveNetwork'> => ({
  joinNetwork: async (settings) => {
    const { enterNetwork } = await import('./dev/join.ts');
    await enterNetwork({ ...base, config, finality, wallMs: platform.now }, () => network.join(settings));
  },
  leaveNetwork: () => {
    base.rule.set(false);
    network.leave();
  },
});

const runFork = async (
  { fork, chain, crypto }: Foundations,
  { foresee }: Pick<Work['author'], 'foresee'>,
  dev: Dev,
): Promise<RunningFork | null> =>
  fork === null ? null : (await import('./fork/running.ts')).runFork(fork, { chain, foresee, crypto, dev });

const forgetClaims = ({ engines, equivocations }: Foundations): void => {
  engines.forgetClaims();
  equivocations.forget();
};

const assemble = async (
  platform: Platform,
  config: NodeConfig,
  db: Database,
  loading: Loading,
  closers: Closers,
): Promise<Node> => {
  const base = await openChain(platform, config, db, loading, closers);
  const { crypto, chain, grandpa, executor, keystore } = base;
  closers.add(chain.close);
  closers.add(keystore.flush);
  const nodeKey = createNodeKey(keystore, config.nodeKey ?? null);
  const peerKey = () => nodeKey.publicKey;
  const localPeer = createLocalPeer({ publicKey: peerKey });
  const work = createWork(platform, config, base, db, { nodeKey, localPeer });
  const { pool, following, author, finality } = work;
  for (const close of work.closes) closers.add(close);
  const offchain = await startOffchain({ ...platform, db, chain, pool, keystore, peerKey }, config);
  closers.add(offchain.close);
  closers.add(author.idle);
  await base.checked;
  await work.storedPool.restore().catch(platform.onError);
  const joining = createJoining(platform, config, base, work);
  if (config.network !== undefined) await joining.joinNetwork(config.network);
  const sealing = startSealing(platform, config, base, work);
  closers.add(sealing.close);
  const { settled } = following;
  const dev = createDev({
    ...base,
    pool,
    author,
    sealing,
    finality,
    ...{ db, zstd: platform.zstd ?? null, origin: base.fork?.origin ?? null },
    wallMs: platform.now,
    settled,
    forgetClaims: () => forgetClaims(base),
  });
  const sessionKeys = createSessionKeys({ ...platform, chain, keystore }, config.keys);
  closers.add(sessionKeys.close);
  const fork = await runFork(base, author, dev);
  const parts: NodeParts = {
    chain,
    fork,
    grandpa,
    voting: work.voting,
    equivocations: base.equivocations,
    pool,
    ...{ author, sealing, finality, keystore, executor, offchain, crypto, db, dev },
    localPeer,
    network: work.network,
    ...joining,
    syncing: work.syncing,
    status: () => createStatus(parts),
    schedule: platform.schedule,
    onError: platform.onError,
    sessionKeys: sessionKeys.fill,
    dialect: config.dialect,
    config,
  };
  return {
    parts,
    info: () => ({ ...createInfo(chain), ...(base.fork?.wasStored === true ? { wasStored: true } : {}) }),
    status: parts.status,
    importBlock: (...request) => importBlock(chain, ...request),
    close: closers.closeAll,
  };
};

/** Creates the parts in order. `close`, or a failure on the way, closes them in reverse. */
export const createNode = async (
  platform: Platform,
  config: NodeConfig,
  loading: Loading = startLoading(platform, config),
): Promise<Node> => {
  const closers = createClosers();
  try {
    closers.add(await platform.lock(config));
    const db = await platform.openDatabase(config);
    closers.add(db.close);
    return await assemble(platform, config, db, loading, closers);
  } catch (error) {
    await closers.closeAll().catch(platform.onError);
    throw error;
  }
};
