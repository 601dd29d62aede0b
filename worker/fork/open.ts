import { quoteName } from '../../src/protocol/chain-id.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import type { ForkSource } from '../../src/protocol/fork-source.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { Chain } from '../chain/chain.ts';
import { checkNoBlocks, type Opened, openedNew, openStored, writeFirstBlock } from '../chain/genesis/open.ts';
import { type ChainSpec, plainSpec } from '../chain/genesis/spec.ts';
import type { Origin } from '../chain/origin.ts';
import { decodeChainRecord, decodeHeaderRecord } from '../chain/records.ts';
import type { NodeOrigin } from '../chain/states/node-origin.ts';
import type { TrieStore } from '../chain/states/trie-store.ts';
import { chainKey } from '../chain/store.ts';
import type { BlocksBelow } from '../chain/view.ts';
import { type Block, decodeBody } from '../codec/block.ts';
import { decodeHeader } from '../codec/header.ts';
import { blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { recordDamage } from '../db/damage.ts';
import type { Database } from '../db/database.ts';
import type { Executor } from '../executor/executor.ts';
import { readAhead } from './ahead.ts';
import { createBelow } from './blocks-below.ts';
import { checkRuntime } from './check-runtime.ts';
import { collectNodes } from './collect-nodes.ts';
import { createLiveMarks } from './live-marks.ts';
import { createLiveNodes } from './live-nodes.ts';
import { decodePack, encodePack, type Pack } from './pack.ts';
import { reportProgress } from './progress.ts';
import { type ForkRecord, forkPut, loadForkRecord } from './record.ts';
import { findLiveBlock } from './run-block.ts';
import { shareProofs } from './shared-proofs.ts';
import { storeNodes } from './stored-nodes.ts';
import { warmUp } from './warm-up.ts';

/** A fork whose live chain is known, before its database is opened as a chain. */
export type PreparedFork = {
  readonly record: ForkRecord;
  readonly origin: Origin | null;
  readonly nodes: NodeOrigin;
  readonly spec: ChainSpec;
  readonly identity: Uint8Array;
  readonly below: BlocksBelow;
  /** Starts to read ahead what the next blocks need. Returns how to stop. */
  follow(chain: Chain, onError: (error: unknown) => void): () => void;
  /** The transactions of the pool that the live chain may accept as well. */
  readonly liveToo: ReturnType<typeof createLiveMarks>;
  /** The fork in one file, with what was read of its base's state. Throws `LimitReached`. */
  exportPack(): Promise<Uint8Array>;
  /** Opens the stored fork, or writes its base. Throws `StorageBroken`, `BadSpec`, and `BadCode` if this node cannot run the runtime. */
  open(store: TrieStore, executor: Pick<Executor, 'load'>): Promise<Opened>;
};

export type PrepareDeps = {
  readonly crypto: Crypto;
  readonly db: Database;
  /** Throws `BadConfig`. `genesisHash`: of the fork that is stored. */
  readonly openOrigin: (endpoints: ForkSource['endpoints'], genesisHash: Uint8Array | null) => Origin;
  schedule(ms: number, run: () => void): () => void;
};

const chosenAs = (block: string): ForkRecord['chosenAs'] =>
  block === 'finalized' || block === 'best' ? block : block.startsWith('0x') ? 'hash' : 'number';

/** Asks the live chain what it is, and for the block to begin at. */
const askOrigin = async (
  origin: Origin,
  chosen: string,
): Promise<{ readonly record: ForkRecord; readonly block: Block }> => {
  const [facts, hash] = await Promise.all([origin.facts(), findLiveBlock(origin, chosen)]);
  const [bytes, extrinsics] = await Promise.all([
    origin.header(blockHashToBytes(hash)),
    origin.body(blockHashToBytes(hash)),
  ]);
  if (bytes === null || extrinsics === null)
    throw new NodeError('UnknownBlock', `No endpoint knows the block ${hash}`);
  const header = decodeHeader(bytes);
  const record: ForkRecord = {
    genesisHash: bytesToBlockHash(facts.genesisHash),
    base: { hash, number: header.number },
    chosenAs: chosenAs(chosen),
    name: facts.name,
    chainType: facts.chainType,
    properties: facts.properties,
  };
  return { record, block: { header, extrinsics } };
};

const specOf = ({ name, properties }: ForkRecord): ChainSpec => ({
  name,
  id: `fork_${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '_')}`,
  // Blocks of a fork have the time of the fork, not of the live chain.
  chainType: 'Development',
  properties,
  ...plainSpec,
  genesis: { kind: 'live' },
});

/** A stored fork stays at its base. */
const checkBase = ({ base, name }: ForkRecord, block: string | undefined): void => {
  const isOther =
    block !== undefined &&
    block !== 'best' &&
    block !== 'finalized' &&
    block.toLowerCase() !== base.hash &&
    block !== `${base.number}`;
  if (isOther)
    throw new NodeError(
      'BadSpec',
      `The storage holds a fork of ${quoteName(name)} at block #${base.number}, ${base.hash}, not at ${block}`,
    );
};

const withoutNetwork = ({ name, base }: ForkRecord): NodeOrigin => ({
  stored: async (hashes) => hashes.map(() => null),
  prove: async (missing) => {
    const { key = null, at = null } = missing.find((node) => node.key !== null) ?? missing[0] ?? {};
    const what = key === null ? 'a part' : `what lies at the key ${bytesToHex(key)}`;
    const block = at === null ? `#${base.number}` : bytesToHex(at);
    const why = `Of the state of ${quoteName(name)} at block ${block}, ${what} was never read, and no endpoint was named`;
    throw new NodeError('NotCached', why);
  },
});

/** What a new fork begins with: its base, and what is known of its state. */
type Beginning = Pack;

/** Throws `BadConfig`, `BadValue`, `UnknownBlock`, and the errors of endpoints. */
const findBeginning = async (
  { crypto }: PrepareDeps,
  origin: Origin | null,
  { block, pack }: ForkSource,
): Promise<Beginning> => {
  if (pack !== undefined) {
    const packed = decodePack(crypto.blake2b256, pack);
    checkBase(packed.record, block);
    return packed;
  }
  if (origin === null)
    throw new NodeError('BadConfig', 'A new fork needs the URL of a node of the live chain, or a pack');
  const asked = await askOrigin(origin, block ?? 'finalized');
  return { record: asked.record, base: asked.block, nodes: [] };
};

const nodesFor = ({ crypto, db }: PrepareDeps, origin: Origin | null, record: ForkRecord): NodeOrigin => {
  if (origin === null) return withoutNetwork(record);
  const live = createLiveNodes(origin, crypto.blake2b256, {
    base: blockHashToBytes(record.base.hash),
    limit: 0,
  });
  const { stored, prove } = storeNodes(live, db);
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

/** Connects to the live chain, and finds what is stored of a fork of it. */
export const prepareFork = async (deps: PrepareDeps, source: ForkSource): Promise<PreparedFork> => {
  const { crypto, db, openOrigin, schedule } = deps;
  const { endpoints, block, pack, progress } = source;
  const known = await loadForkRecord(db);
  if (known === null && (await db.get('meta', chainKey)) !== null)
    throw new NodeError('BadSpec', 'The storage holds a chain that is not a fork');
  if (known !== null) checkBase(known, block);
  const packed = pack === undefined ? null : decodePack(crypto.blake2b256, pack).record;
  if (known !== null && packed !== null) checkBase(known, packed.base.hash);
  const expected = known?.genesisHash ?? packed?.genesisHash ?? null;
  const opened =
    endpoints.length === 0
      ? null
      : openOrigin(endpoints, expected === null ? null : blockHashToBytes(expected));
  const origin =
    opened === null || progress === undefined ? opened : reportProgress(opened, progress, schedule);
  try {
    const beginning = known === null ? await findBeginning(deps, origin, source) : null;
    const record = known ?? (beginning as Beginning).record;
    const { base, genesisHash } = record;
    return {
      record,
      origin,
      nodes: nodesFor(deps, origin, record),
      spec: specOf(record),
      identity: crypto.blake2b256(textToBytes(`fork:${genesisHash}:${base.hash}`)),
      below: createBelow({ db, origin, record }),
      liveToo: createLiveMarks(),
      exportPack: () => exportPack(deps, record),
      follow: (chain, onError) =>
        origin === null ? () => undefined : readAhead({ chain, crypto, onError }).close,
      open: async (store, executor) => {
        const stored = await db.get('meta', chainKey);
        if (stored !== null) return openStored(db, decodeChainRecord(stored), base);
        // The records of the fork and of its chain are written together.
        if (beginning === null) throw recordDamage('meta', chainKey, 'is missing');
        await checkNoBlocks(db);
        // What was read before it is known whether the fork can be opened does no harm: it is stored by hash.
        await db.write({
          puts: beginning.nodes.map(([hash, node]) => ['nodes', hash, node] as const),
          deletes: [],
        });
        const { header } = beginning.base;
        if (origin !== null) await warmUp({ crypto, store }, header.stateRoot);
        await checkRuntime({ crypto, executor, store }, header);
        const first = { block: beginning.base, nodes: [], records: [forkPut(record)] };
        const identity = crypto.blake2b256(textToBytes(`fork:${genesisHash}:${base.hash}`));
        const written = await writeFirstBlock({ crypto, db, store }, first, identity, genesisHash);
        return openedNew(written, genesisHash);
      },
    };
  } catch (error) {
    origin?.close();
    throw error;
  }
};
