import { quoteName } from '../../../src/protocol/chain-id.ts';
import { NodeError } from '../../../src/protocol/errors.ts';
import { equalBytes, noBytes } from '../../bytes/bytes.ts';
import { bytesToHex } from '../../bytes/hex.ts';
import { type Block, encodeBody } from '../../codec/block.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../../codec/identity.ts';
import type { Crypto } from '../../crypto/crypto.ts';
import { damageError, recordDamage } from '../../db/damage.ts';
import { type Batch, createBatch, type Database } from '../../db/database.ts';
import type { Executor } from '../../executor/executor.ts';
import type { Backend } from '../../state/backend.ts';
import { hashHeader } from '../hashes.ts';
import { loadOverrides, type Overrides } from '../overrides.ts';
import type { ChainReader } from '../reader.ts';
import {
  type ChainRecord,
  decodeChainRecord,
  decodeHeaderRecord,
  decodeNumberRecord,
  encodeHeaderRecord,
  numberKey,
  numberOfKey,
} from '../records.ts';
import type { NewNodes } from '../states/journals.ts';
import type { TrieStore } from '../states/trie-store.ts';
import { chainKey, forkKey, putChoice } from '../store.ts';
import { type BlockMeta, type BlockRef, type BlockTree, createBlockTree, type TreeBlock } from '../tree.ts';
import { buildGenesis, codeKey } from './genesis.ts';
import type { ChainSpec } from './spec.ts';

type Deps = {
  readonly crypto: Crypto;
  readonly db: Database;
  readonly executor: Executor;
  readonly store: TrieStore;
};

const toTreeBlock = (hash: BlockHash, record: Uint8Array): TreeBlock => {
  const { header, meta } = decodeHeaderRecord(record);
  return { hash, number: header.number, parent: bytesToBlockHash(header.parentHash), ...meta };
};

export const loadTreeBlock = async (db: Database, hash: BlockHash): Promise<TreeBlock> => {
  const record = await db.get('headers', blockHashToBytes(hash));
  if (record === null) throw recordDamage('headers', blockHashToBytes(hash), 'is missing');
  return toTreeBlock(hash, record);
};

/**
 * The best chain above the finalized block, in one read: one read per block would take seconds in IndexedDB.
 * Throws `StorageBroken` if it does not link the finalized block to the best one.
 */
const loadBestChain = async (
  db: Database,
  { best, finalized }: ChainRecord,
): Promise<Map<BlockHash, TreeBlock>> => {
  const blocks = new Map<BlockHash, TreeBlock>();
  const range = { from: numberKey(finalized.number), to: numberKey(best.number + 1), isCounted: true };
  let parent: BlockRef | null = null;
  for (const [key, value] of await db.range('numbers', range)) {
    const number = numberOfKey(key);
    const { hash, meta } = decodeNumberRecord(value);
    if (number !== (parent === null ? finalized.number : parent.number + 1))
      throw recordDamage('numbers', numberKey(number - 1), 'is missing');
    if (parent === null && hash !== finalized.hash)
      throw damageError(`block #${number} of the best chain is not the finalized block`);
    if (parent !== null && meta !== null) blocks.set(hash, { hash, number, parent: parent.hash, ...meta });
    parent = { hash, number };
  }
  if (parent?.hash !== best.hash)
    throw damageError(`the best chain does not end at block #${best.number}, ${best.hash}`);
  return blocks;
};

/**
 * Rebuilds the tree from the leaves down to the finalized block. Throws `StorageBroken` if a branch does not
 * reach it.
 */
const loadTree = async (db: Database, record: ChainRecord): Promise<BlockTree> => {
  const known = await loadBestChain(db, record);
  const { best, finalized, leaves } = record;
  const load = async (hash: BlockHash): Promise<TreeBlock> => known.get(hash) ?? loadTreeBlock(db, hash);
  const tree = createBlockTree(await load(finalized.hash));
  for (const leaf of leaves) {
    const branch: TreeBlock[] = [];
    for (let hash = leaf; tree.get(hash) === null; ) {
      const block = await load(hash);
      if (block.number <= finalized.number)
        throw damageError(`the branch of block ${leaf} does not lead to the finalized block`);
      branch.push(block);
      hash = block.parent;
    }
    for (const block of branch.reverse()) tree.insert(block);
  }
  if (tree.get(best.hash) === null)
    throw damageError(`the best block #${best.number}, ${best.hash}, is on no branch`);
  tree.setBest(best.hash);
  return tree;
};

const genesisMeta: BlockMeta = { weight: 0, isOwn: false };

/**
 * The lowest block is only written to an empty database. Throws `StorageBroken` if there are blocks: the chain record was lost.
 */
export const checkNoBlocks = async (db: Database): Promise<void> => {
  if ((await db.range('headers', { limit: 1 })).length > 0)
    throw recordDamage('meta', chainKey, 'is missing');
};

const hasGenesis = async (deps: Deps, spec: ChainSpec, hash: BlockHash): Promise<boolean> => {
  try {
    const { header } = await buildGenesis({ ...deps, source: deps.store }, spec.genesis);
    return hashHeader(deps.crypto, header) === hash;
  } catch (error) {
    if (error instanceof NodeError) return false;
    throw error;
  }
};

/** The lowest block of a chain: block 0, or the base of a fork. */
export type FirstBlock = {
  readonly block: Block;
  /** What is known of its state. */
  readonly nodes: NewNodes;
  /** Further records of the same transaction. */
  readonly records: Batch['puts'];
};

/** Writes the lowest block into an empty database (`checkNoBlocks`), as its best and finalized one. `genesis` null: it is block 0 itself. */
export const writeFirstBlock = async (
  { crypto, db, store }: Pick<Deps, 'crypto' | 'db' | 'store'>,
  { block: { header, extrinsics }, nodes, records }: FirstBlock,
  identity: Uint8Array,
  genesis: BlockHash | null = null,
): Promise<TreeBlock> => {
  const hash = hashHeader(crypto, header);
  const batch = createBatch();
  batch.puts.push(['headers', blockHashToBytes(hash), encodeHeaderRecord(header, genesisMeta)]);
  batch.puts.push(['bodies', blockHashToBytes(hash), encodeBody(extrinsics)], ...records);
  store.stage(nodes, batch);
  store.stageMode(batch);
  const parent = genesis === null ? hash : bytesToBlockHash(header.parentHash);
  const block = { hash, number: header.number, parent, ...genesisMeta };
  putChoice(
    batch,
    { genesis: genesis ?? hash, identity },
    { oldBest: block, best: block, finalized: block, enacted: [block], leaves: [hash] },
  );
  await db.write(batch);
  store.accept(nodes);
  return block;
};

const writeGenesis = async (deps: Deps, spec: ChainSpec, identity: Uint8Array): Promise<TreeBlock> => {
  await checkNoBlocks(deps.db);
  const { header, nodes } = await buildGenesis({ ...deps, source: deps.store }, spec.genesis);
  return writeFirstBlock(deps, { block: { header, extrinsics: [] }, nodes, records: [] }, identity);
};

export type Opened = {
  /** The lowest block was written just now. */
  readonly isNew: boolean;
  readonly genesisHash: BlockHash;
  /** The lowest block: block 0, or the base of a fork. */
  readonly base: BlockRef;
  readonly tree: BlockTree;
  readonly overrides: Overrides;
};

/** A chain of its lowest block alone. */
export const openedNew = (block: TreeBlock, genesisHash: BlockHash): Opened => ({
  isNew: true,
  genesisHash,
  base: block,
  tree: createBlockTree(block),
  overrides: new Map(),
});

/** The chain that a database holds. Throws `StorageBroken`. */
export const openStored = async (db: Database, record: ChainRecord, base: BlockRef): Promise<Opened> => {
  const [overrides, tree] = await Promise.all([loadOverrides(db), loadTree(db, record)]);
  return { isNew: false, genesisHash: record.genesis, base, tree, overrides };
};

/**
 * Opens the stored chain, or writes block 0. `known` is the genesis that the specification is known to yield. Throws `BadSpec` if
 * the database holds another chain.
 */
export const openTree = async (
  deps: Deps,
  spec: ChainSpec,
  identity: Uint8Array,
  known?: BlockHash,
): Promise<Opened> => {
  const stored = await deps.db.get('meta', chainKey);
  if (stored === null) {
    await checkNoBlocks(deps.db);
    const block = await writeGenesis(deps, spec, identity);
    return openedNew(block, block.hash);
  }
  const record = decodeChainRecord(stored);
  // A specification may change as long as its genesis does not: bootnodes, code substitutes, bad blocks.
  const isOther = !equalBytes(record.identity, identity);
  // A fork has the genesis hash of its live chain, and not its blocks.
  if (isOther && (await deps.db.get('meta', forkKey)) !== null)
    throw new NodeError('BadSpec', 'The database holds a fork of a live chain: open it as a fork');
  if (isOther && known !== record.genesis && !(await hasGenesis(deps, spec, record.genesis))) {
    const why = `The database holds a chain made from another specification than that of ${quoteName(spec.id)}`;
    throw new NodeError('BadSpec', why, { details: { genesisHash: record.genesis } });
  }
  return openStored(deps.db, record, { hash: record.genesis, number: 0 });
};

/**
 * Reads the records that the next block needs: header and body of the best and the finalized block, the trie path
 * to their runtime code, and the code. Throws `StorageBroken` if one is damaged, so that startup reports it.
 */
export const checkHead = async (
  chain: Pick<ChainReader, 'best' | 'finalized' | 'loadBlock' | 'withState'>,
): Promise<void> => {
  // Large, and usually the same in both blocks, so it is read once.
  const readers = new Map<string, BlockHash>();
  const readCode = (hash: BlockHash, state: Backend): void => {
    const code = bytesToHex(state.valueHash(codeKey) ?? noBytes);
    if ((readers.get(code) ?? hash) !== hash) return;
    readers.set(code, hash);
    state.get(codeKey);
  };
  const check = async (hash: BlockHash): Promise<void> => {
    if ((await chain.loadBlock(hash)) === null)
      throw recordDamage('headers', blockHashToBytes(hash), 'is missing');
    await chain.withState(hash, (state) => readCode(hash, state));
  };
  const { best, finalized } = chain;
  await Promise.all([...new Set([best().hash, finalized().hash])].map(check));
};
