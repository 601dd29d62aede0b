import { NodeError } from '../../src/protocol/errors.ts';
import type { ForkSource } from '../../src/protocol/fork-source.ts';
import { textToBytes } from '../bytes/bytes.ts';
import type { Chain } from '../chain/chain.ts';
import { checkNoBlocks, type Opened, openedNew, openStored, writeFirstBlock } from '../chain/genesis/open.ts';
import { type ChainSpec, plainSpec } from '../chain/genesis/spec.ts';
import { hashHeader } from '../chain/hashes.ts';
import type { Origin } from '../chain/origin.ts';
import { overridesPut } from '../chain/overrides.ts';
import { decodeChainRecord, decodeHeaderRecord } from '../chain/records.ts';
import type { NodeOrigin } from '../chain/states/node-origin.ts';
import type { TrieStore } from '../chain/states/trie-store.ts';
import { chainKey } from '../chain/store.ts';
import type { BlocksBelow } from '../chain/view.ts';
import { type Block, decodeBody } from '../codec/block.ts';
import { encodeHeader } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { recordDamage } from '../db/damage.ts';
import { impersonationPut } from '../dev/impersonation.ts';
import type { PreparedBase } from '../dev/rebase.ts';
import type { Executor } from '../executor/executor.ts';
import type { Backend } from '../state/backend.ts';
import { type Access, type AccessDeps, openAccess } from './access.ts';
import { collectWrites, type Declared, nothingDeclared } from './base/declared.ts';
import { askForBase, checkBase, checkChain, recallBase } from './base/find-base.ts';
import { readBase, readDeclaring } from './base/read-base.ts';
import { belowPut } from './blocks-below.ts';
import type { CheckDeps } from './check-runtime.ts';
import { createLiveMarks } from './live-marks.ts';
import type { Pack } from './pack.ts';
import { readAhead } from './reads/ahead.ts';
import { createAccountReader } from './reads/likely-accounts.ts';
import { type ForkRecord, forkPut, loadForkRecord } from './record.ts';
import { createKnownChains } from './shared/known-chains.ts';
import { createLearnedReads, type LearnedReads } from './shared/learned-reads.ts';
import type { SharedStore } from './shared/shared-store.ts';

/** A fork whose live chain is known, before its database is opened as a chain. */
export type PreparedFork = {
  /** Of the present base. */
  record(): ForkRecord;
  /** Whether the database held it already. */
  readonly wasStored: boolean;
  readonly origin: Origin | null;
  readonly shared: Pick<SharedStore, 'found' | 'limitBytes'>;
  readonly nodes: NodeOrigin;
  readonly spec: ChainSpec;
  readonly identity: Uint8Array;
  readonly below: BlocksBelow;
  /** Starts to read ahead what the next blocks need. Returns how to stop, which waits for a read that has begun, but not long. */
  follow(chain: Chain, onError: (error: unknown) => void): () => Promise<void>;
  /** Reads the accounts of a transaction. */
  readonly readAlong: ReturnType<typeof createAccountReader>;
  /** The transactions of the pool that the live chain may accept as well. */
  readonly liveToo: ReturnType<typeof createLiveMarks>;
  /** Opens the stored fork, or writes its base. Throws `StorageBroken`, `BadSpec`, and `BadCode` if this node cannot run the runtime. */
  open(store: TrieStore, executor: Pick<Executor, 'load'>): Promise<Opened>;
  /** What was written to the states of the chain by hand. */
  writesOf(chain: Chain): Promise<Declared['writes']>;
  /** The fork in one file, with what was read of its base's state. Throws `LimitReached`. */
  exportPack(declared: Declared): Promise<Uint8Array>;
  /** Reads another base, and what was declared on it. Throws as a new fork does, and `BadValue` for one that is not newer. */
  rebase(block: string, declared: Declared): Promise<PreparedBase>;
  close(): Promise<void>;
};

export type PrepareDeps = AccessDeps;

const specOf = ({ name, properties }: ForkRecord): ChainSpec => ({
  name,
  id: `fork_${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`,
  // Blocks of a fork have the time of the fork, not of the live chain.
  chainType: 'Development',
  properties,
  ...plainSpec,
  genesis: { kind: 'live' },
});

const identityOf = (crypto: Crypto, { genesisHash, base }: ForkRecord): Uint8Array =>
  crypto.blake2b256(textToBytes(`fork:${genesisHash}:${base.hash}`));

/** Few forks begin with a pack. Throws `BadValue`. */
const readPack = async ({ blake2b256 }: Crypto, pack: Uint8Array): Promise<Pack> =>
  (await import('./pack.ts')).decodePack(blake2b256, pack);

/** Throws `BadConfig`, `BadValue`, `UnknownBlock`, `NotCached`, and the errors of endpoints. */
const findBeginning = async (
  { crypto }: PrepareDeps,
  { origin, shared }: Access,
  { block, pack, endpoints, expected, offline = false }: ForkSource,
): Promise<Pack> => {
  if (pack !== undefined) {
    const packed = await readPack(crypto, pack);
    checkBase(packed.record, block);
    return packed;
  }
  const chains = createKnownChains(shared, crypto.blake2b256);
  const find = origin === null ? recallBase.bind(null, chains) : askForBase.bind(null, origin, chains);
  if (origin === null && !offline)
    throw new NodeError('BadConfig', 'A new fork needs the URL of a node of the live chain, or a pack');
  const found = await find(endpoints, block ?? 'finalized');
  checkChain(found.record, expected);
  return { ...found, nodes: [], declared: nothingDeclared, below: [] };
};

const loadBase = async ({ db }: PrepareDeps, { base }: ForkRecord): Promise<Block> => {
  const key = blockHashToBytes(base.hash);
  const [header, body] = [await db.get('headers', key), await db.get('bodies', key)];
  if (header === null || body === null) throw recordDamage('headers', key, 'is missing');
  return { header: decodeHeaderRecord(header).header, extrinsics: decodeBody(body) };
};

type Opening = Pick<CheckDeps, 'store' | 'executor'>;

/** Reads what the first block needs, and writes the base. */
const openNew = async (
  deps: PrepareDeps,
  pack: Pack,
  learned: LearnedReads | null,
  { store, executor }: Opening,
): Promise<{ readonly opened: Opened; readonly codeHash: Uint8Array }> => {
  const { crypto, db } = deps;
  const { record, base, nodes, declared, below } = pack;
  await checkNoBlocks(db);
  // What was read before it is known whether the fork can be opened does no harm: it is stored by hash.
  await db.write({ puts: nodes.map(([hash, node]) => ['nodes', hash, node] as const), deletes: [] });
  const { codeHash, overrides } = await readBase({ crypto, db, store, executor, learned }, pack);
  const { impersonated } = declared;
  const records = [
    forkPut(record),
    overridesPut(overrides),
    ...below.map((header) => belowPut(hashHeader(crypto, header), encodeHeader(header))),
    ...(impersonated.length > 0 ? [impersonationPut({ accounts: impersonated, isTainted: true })] : []),
  ];
  const identity = identityOf(crypto, record);
  const first = { block: base, nodes: [], records };
  const written = await writeFirstBlock({ crypto, db, store }, first, identity, record.genesisHash);
  return { opened: { ...openedNew(written, record.genesisHash), overrides }, codeHash };
};

/** A fork that is closed right after a block waits at most this long for what it reads for the next ones. */
const lastReadMs = 3000;

/** Saves what the fork has read once its first block is built, and reads ahead what the next ones need. */
const followFork = (
  { crypto, schedule }: PrepareDeps,
  chain: Chain,
  saveReads: () => Promise<readonly Uint8Array[]>,
  onError: (error: unknown) => void,
): (() => Promise<void>) => {
  const readLearned = async (hash: BlockHash): Promise<void> => {
    const keys = await saveReads();
    const read = (state: Pick<Backend, 'get'>): void => {
      for (const key of keys) state.get(key);
    };
    // What fails is reported by what needs it.
    if (keys.length > 0) await chain.withState(hash, read, read).catch(() => undefined);
  };
  let learning: Promise<void> = Promise.resolve();
  const stop = chain.onEvent((event) => {
    if (event.kind !== 'imported') return;
    stop();
    learning = readLearned(event.hash).catch(onError);
  });
  const ahead = readAhead({ chain, crypto, onError });
  return async () => {
    stop();
    const limit = Promise.withResolvers<void>();
    const cancel = schedule(lastReadMs, limit.resolve);
    await Promise.race([Promise.all([learning, ahead.close()]), limit.promise]);
    cancel();
  };
};

/** The pack or the record of the fork, whatever it is that the database or the source has. Throws `BadSpec`. */
const loadKnown = async ({ db, crypto }: PrepareDeps, { block, pack, expected }: ForkSource) => {
  const known = await loadForkRecord(db);
  if (known === null && (await db.get('meta', chainKey)) !== null)
    throw new NodeError('BadSpec', 'The storage holds a chain that is not a fork');
  if (known !== null) checkBase(known, block);
  const packed = pack === undefined ? null : (await readPack(crypto, pack)).record;
  if (known !== null && packed !== null) checkBase(known, packed.base.hash);
  for (const record of [known, packed]) if (record !== null) checkChain(record, expected);
  return { known, genesisHash: (known ?? packed)?.genesisHash ?? null };
};

/** The fork of a record; `beginning`: what a new one begins with. */
const createFork = (
  deps: PrepareDeps,
  source: ForkSource,
  access: Access,
  known: ForkRecord,
  beginning: Pack | null,
): PreparedFork => {
  const { crypto, db } = deps;
  const { origin, shared } = access;
  let record = known;
  let opening: Opening | null = null;
  let codeHash: Uint8Array | null = null;
  const learned = createLearnedReads({ shared, crypto, genesisHash: known.genesisHash });
  const nodes = access.nodesOf(() => record, learned);
  const need = (): Opening => {
    if (opening === null) throw new Error('The fork is not open');
    return opening;
  };
  const below = access.belowOf(() => record);
  return {
    record: () => record,
    wasStored: beginning === null,
    origin,
    shared,
    nodes,
    spec: specOf(known),
    identity: identityOf(crypto, known),
    below,
    readAlong: createAccountReader(crypto),
    liveToo: createLiveMarks(),
    follow: (chain, onError) => {
      if (origin === null) return async () => undefined;
      access.nameBy?.(async () => (await import('../dev/storage-items.ts')).listStorage(chain));
      const saveReads = async (): Promise<readonly Uint8Array[]> =>
        codeHash === null ? [] : learned.saveOpening(codeHash, record.base.number);
      return followFork(deps, chain, saveReads, onError);
    },
    open: async (store, executor) => {
      const { load } = executor;
      opening = { store, executor: { load, allowsUnresolved: source.allowUnresolvedImports === true } };
      const stored = await db.get('meta', chainKey);
      if (stored !== null) return openStored(db, decodeChainRecord(stored), record.base);
      // The records of the fork and of its chain are written together.
      if (beginning === null) throw recordDamage('meta', chainKey, 'is missing');
      const written = await openNew(deps, beginning, origin === null ? null : learned, opening);
      codeHash = written.codeHash;
      return written.opened;
    },
    writesOf: (chain) => collectWrites({ chain, crypto, store: need().store }),
    exportPack: async (declared) => {
      const base = await loadBase(deps, record);
      await readDeclaring({ crypto, ...need() }, base.header, declared);
      const { collectNodes } = await import('./collect-nodes.ts');
      const { encodePack } = await import('./pack.ts');
      const found = await collectNodes(db, base.header.stateRoot);
      const pack = { record, base, nodes: found, declared, below: await below.linked() };
      return encodePack(crypto.blake2b256, pack);
    },
    rebase: async (block, declared) => {
      const { prepareRebase } = await import('./base/rebase.ts');
      const present = { ...need(), record, declared, learned };
      return prepareRebase(deps, access, present, source.endpoints, block, (next) => {
        record = next;
      });
    },
    close: async () => {
      if (codeHash !== null) await learned.saveLater(codeHash, record.base.number);
      await access.close();
    },
  };
};

/** Connects to the live chain, and finds what is stored of a fork of it. */
export const prepareFork = async (deps: PrepareDeps, source: ForkSource): Promise<PreparedFork> => {
  const { known, genesisHash } = await loadKnown(deps, source);
  const access = openAccess(deps, source, genesisHash);
  try {
    const beginning = known === null ? await findBeginning(deps, access, source) : null;
    return createFork(deps, source, access, known ?? (beginning as Pack).record, beginning);
  } catch (error) {
    await access.close();
    throw error;
  }
};
