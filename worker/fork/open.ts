import { quoteName } from '../../src/protocol/chain-id.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import type { ForkSource } from '../../src/protocol/fork-source.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { bytesToHex } from '../bytes/hex.ts';
import type { Chain } from '../chain/chain.ts';
import { codeKey } from '../chain/genesis/genesis.ts';
import {
  type FirstBlock,
  type Opened,
  openedNew,
  openStored,
  writeFirstBlock,
} from '../chain/genesis/open.ts';
import { type ChainSpec, plainSpec } from '../chain/genesis/spec.ts';
import type { Origin } from '../chain/origin.ts';
import { decodeChainRecord } from '../chain/records.ts';
import type { NodeOrigin } from '../chain/states/node-origin.ts';
import type { TrieStore } from '../chain/states/trie-store.ts';
import { chainKey } from '../chain/store.ts';
import type { BlocksBelow } from '../chain/view.ts';
import { decodeHeader } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import type { Database } from '../db/database.ts';
import { readAhead } from './ahead.ts';
import { createLiveNodes, type LiveNodes } from './live-nodes.ts';
import { reportProgress } from './progress.ts';
import { type ForkRecord, forkPut, loadForkRecord } from './record.ts';
import { findLiveBlock } from './run-block.ts';
import { storeNodes } from './stored-nodes.ts';

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
  /** Opens the stored fork, or writes its base. Throws `StorageBroken`, and `BadSpec` if the database holds another chain. */
  open(store: TrieStore): Promise<Opened>;
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
const askOrigin = async (origin: Origin, block: string): Promise<ForkRecord> => {
  const facts = await origin.facts();
  const hash = await findLiveBlock(origin, block);
  const bytes = await origin.header(blockHashToBytes(hash));
  if (bytes === null) throw new NodeError('UnknownBlock', `No endpoint knows the block ${hash}`);
  return {
    genesisHash: bytesToBlockHash(facts.genesisHash),
    base: { hash, number: decodeHeader(bytes).number },
    chosenAs: chosenAs(block),
    name: facts.name,
    chainType: facts.chainType,
    properties: facts.properties,
  };
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

const createBelow = (origin: Origin | null, { base, name }: ForkRecord): BlocksBelow => {
  const need = (): Origin => {
    if (origin !== null) return origin;
    const why = `Blocks below #${base.number} of ${quoteName(name)} can only be read with an endpoint`;
    throw new NodeError('NotCached', why);
  };
  return {
    base: base.number,
    hashAt: async (number) => {
      const hash = await need().hashAt(number);
      return hash === null ? null : bytesToBlockHash(hash);
    },
    // Most unknown hashes are of blocks that exist nowhere.
    header: async (hash) => {
      const bytes = (await origin?.header(blockHashToBytes(hash))) ?? null;
      const header = bytes === null ? null : decodeHeader(bytes);
      return header !== null && header.number < base.number ? header : null;
    },
    body: (hash) => need().body(blockHashToBytes(hash)),
  };
};

const withoutNetwork = ({ name, base }: ForkRecord): NodeOrigin => ({
  stored: async (hashes) => hashes.map(() => null),
  prove: async (missing) => {
    const key = missing.find((node) => node.key !== null)?.key ?? null;
    const what = key === null ? 'a part' : `what lies at the key ${bytesToHex(key)}`;
    const why = `Of the state of ${quoteName(name)} at block #${base.number}, ${what} was never read, and no endpoint was named`;
    throw new NodeError('NotCached', why);
  },
});

const readBase = async (origin: Origin | null, hash: BlockHash) => {
  const [header, body] = await Promise.all([
    origin?.header(blockHashToBytes(hash)) ?? null,
    origin?.body(blockHashToBytes(hash)) ?? null,
  ]);
  if (header === null || body === null)
    throw new NodeError('UnknownBlock', `No endpoint knows the block ${hash}`);
  return { header: decodeHeader(header), extrinsics: body };
};

/**
 * What is written of a new fork: the base, and the nodes that prove its code. Read first, so that nothing is written of a block
 * whose state no endpoint has.
 */
const readFirst = async (
  { crypto }: Pick<PrepareDeps, 'crypto'>,
  origin: Origin | null,
  record: ForkRecord,
): Promise<FirstBlock> => {
  const { hash } = record.base;
  const block = await readBase(origin, hash);
  const keys = [{ child: null, keys: [codeKey] }];
  const nodes = (await origin?.nodes(blockHashToBytes(hash), keys, [block.header.stateRoot])) ?? [];
  const puts = nodes.map((node) => ['nodes', crypto.blake2b256(node), node] as const);
  return { block, nodes: [], records: [forkPut(record), ...puts] };
};

/** Connects to the live chain, and finds what is stored of a fork of it. */
export const prepareFork = async (
  { crypto, db, openOrigin, schedule }: PrepareDeps,
  { endpoints, block, progress }: ForkSource,
): Promise<PreparedFork> => {
  const known = await loadForkRecord(db);
  if (known === null && endpoints.length === 0)
    throw new NodeError('BadConfig', 'A new fork needs the URL of a node of the live chain');
  if (known === null && (await db.get('meta', chainKey)) !== null)
    throw new NodeError('BadSpec', 'The storage holds a chain that is not a fork');
  if (known !== null) checkBase(known, block);
  const opened =
    endpoints.length === 0
      ? null
      : openOrigin(endpoints, known === null ? null : blockHashToBytes(known.genesisHash));
  const origin =
    opened === null || progress === undefined ? opened : reportProgress(opened, progress, schedule);
  try {
    const record = known ?? (await askOrigin(origin as Origin, block ?? 'finalized'));
    const { base, genesisHash } = record;
    let live: LiveNodes | null = null;
    if (origin !== null) {
      live = createLiveNodes(origin, crypto.blake2b256, 0);
      live.readAt(blockHashToBytes(base.hash));
    }
    const identity = crypto.blake2b256(textToBytes(`fork:${genesisHash}:${base.hash}`));
    return {
      record,
      origin,
      nodes: live === null ? withoutNetwork(record) : storeNodes(live, db),
      spec: specOf(record),
      identity,
      below: createBelow(origin, record),
      follow: (chain, onError) =>
        origin === null ? () => undefined : readAhead({ chain, crypto, onError }).close,
      open: async (store) => {
        const stored = await db.get('meta', chainKey);
        if (stored !== null) return openStored(db, decodeChainRecord(stored), base);
        const first = await readFirst({ crypto }, origin, record);
        const written = await writeFirstBlock({ crypto, db, store }, first, identity, genesisHash);
        return openedNew(written, genesisHash);
      },
    };
  } catch (error) {
    origin?.close();
    throw error;
  }
};
