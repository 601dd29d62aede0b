import { NodeError } from '../../src/protocol/errors.ts';
import type { ForkSource } from '../../src/protocol/fork-source.ts';
import { equalBytes, textToBytes } from '../bytes/bytes.ts';
import type { Chain } from '../chain/chain.ts';
import { checkNoBlocks, type Opened, openedNew, openStored, writeFirstBlock } from '../chain/genesis/open.ts';
import { type ChainSpec, plainSpec } from '../chain/genesis/spec.ts';
import type { Origin } from '../chain/origin.ts';
import { decodeChainRecord, decodeHeaderRecord } from '../chain/records.ts';
import type { NodeOrigin } from '../chain/states/node-origin.ts';
import type { TrieStore } from '../chain/states/trie-store.ts';
import { chainKey } from '../chain/store.ts';
import type { BlocksBelow } from '../chain/view.ts';
import { decodeBody } from '../codec/block.ts';
import { blockHashToBytes } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { recordDamage } from '../db/damage.ts';
import type { Database } from '../db/database.ts';
import { createNodeStore, type NodeStoreDeps } from '../db/node-store.ts';
import type { Executor } from '../executor/executor.ts';
import { readAhead } from './ahead.ts';
import { checkRuntime } from './check-runtime.ts';
import { collectNodes } from './collect-nodes.ts';
import { askForBase, checkBase, recallBase } from './find-base.ts';
import { createLiveNodes } from './live-nodes.ts';
import { decodePack, encodePack, type Pack } from './pack.ts';
import { reportProgress } from './progress.ts';
import { type ForkRecord, forkPut, loadForkRecord } from './record.ts';
import { createKnownChains } from './shared/known-chains.ts';
import { createLearnedReads, type LearnedReads } from './shared/learned-reads.ts';
import { createSharedStore, noSharedStore, type SharedStore } from './shared/shared-store.ts';
import { storeNodes } from './shared/stored-nodes.ts';
import { shareProofs } from './shared-proofs.ts';
import { warmUp } from './warm-up.ts';
import { createBelow, noNetwork, proveNothing } from './without-network.ts';

/** A fork whose live chain is known, before its database is opened as a chain. */
export type PreparedFork = {
  readonly record: ForkRecord;
  readonly origin: Origin | null;
  readonly shared: Pick<SharedStore, 'found' | 'limitBytes'>;
  readonly nodes: NodeOrigin;
  readonly spec: ChainSpec;
  readonly identity: Uint8Array;
  readonly below: BlocksBelow;
  /** Starts to read ahead what the next blocks need. Returns how to stop. */
  follow(chain: Chain, onError: (error: unknown) => void): () => void;
  /** The fork in one file, with what was read of its base's state. Throws `LimitReached`. */
  exportPack(): Promise<Uint8Array>;
  /** Opens the stored fork, or writes its base. Throws `StorageBroken`, `BadSpec`, and `BadCode` if this node cannot run the runtime. */
  open(store: TrieStore, executor: Pick<Executor, 'load'>): Promise<Opened>;
  close(): Promise<void>;
};

export type PrepareDeps = {
  readonly crypto: Crypto;
  readonly db: Database;
  /** Throws `BadConfig`. `genesisHash`: of the fork that is stored. */
  readonly openOrigin: (endpoints: ForkSource['endpoints'], genesisHash: Uint8Array | null) => Origin;
  /** Opens the store that all forks share; null: there is none. */
  readonly openNodeStore: NodeStoreDeps['open'] | null;
  now(): number;
  schedule(ms: number, run: () => void): () => void;
  onError(error: unknown): void;
};

const defaultSharedBytes = 256 * 1024 * 1024;

const specOf = ({ name, properties }: ForkRecord): ChainSpec => ({
  name,
  id: `fork_${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`,
  // Blocks of a fork have the time of the fork, not of the live chain.
  chainType: 'Development',
  properties,
  ...plainSpec,
  genesis: { kind: 'live' },
});

/** Throws `BadConfig`, `BadValue`, `UnknownBlock`, `NotCached`, and the errors of endpoints. */
const findBeginning = async (
  { crypto }: PrepareDeps,
  origin: Origin | null,
  shared: SharedStore,
  { block, pack, endpoints, offline = false }: ForkSource,
): Promise<Pack> => {
  if (pack !== undefined) {
    const packed = decodePack(crypto.blake2b256, pack);
    checkBase(packed.record, block);
    return packed;
  }
  const chains = createKnownChains(shared, crypto.blake2b256);
  const chosen = block ?? 'finalized';
  if (origin !== null) return { ...(await askForBase(origin, chains, endpoints, chosen)), nodes: [] };
  if (offline) return { ...(await recallBase(chains, endpoints, chosen)), nodes: [] };
  throw new NodeError('BadConfig', 'A new fork needs the URL of a node of the live chain, or a pack');
};

const nodesFor = (
  { crypto, db }: PrepareDeps,
  origin: Origin | null,
  shared: SharedStore,
  learned: LearnedReads,
  record: ForkRecord,
  isOffline: boolean,
): NodeOrigin => {
  if (origin === null)
    return storeNodes({ prove: proveNothing(() => record, noNetwork(isOffline)) }, db, shared);
  const live = createLiveNodes(origin, crypto.blake2b256, 0);
  live.readAt(blockHashToBytes(record.base.hash));
  const noted: NodeOrigin['prove'] = (missing) => {
    learned.note(missing);
    return live.prove(missing);
  };
  const { stored, prove } = storeNodes({ prove: noted }, db, shared);
  return { stored, prove: shareProofs(prove) };
};

const exportPack = async ({ crypto, db }: PrepareDeps, record: ForkRecord): Promise<Uint8Array> => {
  const key = blockHashToBytes(record.base.hash);
  const [header, body] = [await db.get('headers', key), await db.get('bodies', key)];
  if (header === null || body === null) throw recordDamage('headers', key, 'is missing');
  const base = { header: decodeHeaderRecord(header).header, extrinsics: decodeBody(body) };
  const nodes = await collectNodes(db, base.header.stateRoot);
  return encodePack(crypto.blake2b256, { record, base, nodes });
};

/** The store of nodes that all forks of this browser or base path share. */
const openShared = (deps: PrepareDeps, { sharedBytes = defaultSharedBytes }: ForkSource): SharedStore => {
  const { openNodeStore, crypto, now, schedule, onError } = deps;
  if (openNodeStore === null || sharedBytes === 0) return noSharedStore;
  const store = createNodeStore({ open: openNodeStore, now, schedule, onError }, sharedBytes);
  return createSharedStore(store, crypto.blake2b256);
};

/** The live chain; null if nothing is read from it. */
const connect = (
  { openOrigin, schedule }: PrepareDeps,
  { endpoints, progress, offline = false }: ForkSource,
  expected: string | null,
): Origin | null => {
  if (offline || endpoints.length === 0) return null;
  const opened = openOrigin(
    endpoints,
    expected === null ? null : blockHashToBytes(expected as ForkRecord['genesisHash']),
  );
  return progress === undefined ? opened : reportProgress(opened, progress, schedule);
};

/** Reads what the first block needs, and writes the base. */
const openNew = async (
  deps: PrepareDeps,
  { record, base, nodes }: Pack,
  origin: Origin | null,
  learned: LearnedReads,
  store: TrieStore,
  executor: Pick<Executor, 'load'>,
): Promise<{ readonly opened: Opened; readonly codeHash: Uint8Array }> => {
  const { crypto, db } = deps;
  await checkNoBlocks(db);
  // What was read before it is known whether the fork can be opened does no harm: it is stored by hash.
  await db.write({ puts: nodes.map(([hash, node]) => ['nodes', hash, node] as const), deletes: [] });
  const { header } = base;
  const guess = await learned.lastCode();
  const readAll = (keys: readonly Uint8Array[]): Promise<void> =>
    warmUp({ crypto, store }, header.stateRoot, keys);
  if (origin !== null) await readAll(guess === null ? [] : await learned.load(guess, header.number));
  const { codeHash } = await checkRuntime({ crypto, executor, store }, header);
  if (origin !== null && guess !== null && !equalBytes(guess, codeHash)) {
    const keys = await learned.load(codeHash, header.number);
    if (keys.length > 0) await readAll(keys);
  }
  const first = { block: base, nodes: [], records: [forkPut(record)] };
  const written = await writeFirstBlock(
    { crypto, db, store },
    first,
    identityOf(crypto, record),
    record.genesisHash,
  );
  return { opened: openedNew(written, record.genesisHash), codeHash };
};

const identityOf = (crypto: Crypto, { genesisHash, base }: ForkRecord): Uint8Array =>
  crypto.blake2b256(textToBytes(`fork:${genesisHash}:${base.hash}`));

/** Connects to the live chain, and finds what is stored of a fork of it. */
export const prepareFork = async (deps: PrepareDeps, source: ForkSource): Promise<PreparedFork> => {
  const { crypto, db } = deps;
  const { block, pack, offline = false } = source;
  const known = await loadForkRecord(db);
  if (known === null && (await db.get('meta', chainKey)) !== null)
    throw new NodeError('BadSpec', 'The storage holds a chain that is not a fork');
  if (known !== null) checkBase(known, block);
  const packed = pack === undefined ? null : decodePack(crypto.blake2b256, pack).record;
  if (known !== null && packed !== null) checkBase(known, packed.base.hash);
  const origin = connect(deps, source, known?.genesisHash ?? packed?.genesisHash ?? null);
  const shared = openShared(deps, source);
  const close = async (): Promise<void> => {
    origin?.close();
    await shared.close();
  };
  try {
    const beginning = known === null ? await findBeginning(deps, origin, shared, source) : null;
    const record = known ?? (beginning as Pack).record;
    const { base, genesisHash } = record;
    const learned = createLearnedReads({ shared, crypto, genesisHash });
    let codeHash: Uint8Array | null = null;
    return {
      record,
      origin,
      shared,
      nodes: nodesFor(deps, origin, shared, learned, record, offline),
      spec: specOf(record),
      identity: identityOf(crypto, record),
      below: createBelow(origin, () => record, noNetwork(offline)),
      exportPack: () => exportPack(deps, record),
      follow: (chain, onError) => {
        if (origin === null) return () => undefined;
        const stop = chain.onEvent(({ kind }) => {
          if (kind !== 'imported' || codeHash === null) return;
          stop();
          learned.save(codeHash, base.number).catch(onError);
        });
        const ahead = readAhead({ chain, crypto, onError });
        return () => {
          stop();
          ahead.close();
        };
      },
      open: async (store, executor) => {
        const stored = await db.get('meta', chainKey);
        if (stored !== null) return openStored(db, decodeChainRecord(stored), base);
        // The records of the fork and of its chain are written together.
        if (beginning === null) throw recordDamage('meta', chainKey, 'is missing');
        const written = await openNew(deps, beginning, origin, learned, store, executor);
        codeHash = written.codeHash;
        return written.opened;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};
