import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { codeKey, pendingCodeKey } from '../chain/genesis/genesis.ts';
import type { Origin } from '../chain/origin.ts';
import { createProofs } from '../chain/proofs.ts';
import { encodeHeaderRecord } from '../chain/records.ts';
import { keepAllStates } from '../chain/states/state-pruning.ts';
import { openTrieStore, type TrieStore } from '../chain/states/trie-store.ts';
import { type ChainView, createChainView } from '../chain/view.ts';
import { decodeHeader, type Header } from '../codec/header.ts';
import { type BlockHash, blockHashToBytes } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { createMemoryDatabase } from '../db/memory.ts';
import type { Executor } from '../executor/executor.ts';
import { createSignatureCache } from '../executor/signature-cache.ts';
import type { Backend } from '../state/backend.ts';
import { createLiveNodes, type LiveNodes } from './live-nodes.ts';
import type { ReplaySource } from './replay.ts';

/** Blocks, states and runtimes of a live chain, read when they are needed and verified by their hashes. */
export type LiveView = ReplaySource & { readonly nodes: LiveNodes };

export type LiveDeps = {
  readonly crypto: Crypto;
  readonly executor: Executor;
  readonly origin: Origin;
  readonly onError: (error: unknown) => void;
};

/** Headers in the database. Later blocks need only those of their parents. */
const keptHeaders = 512;
/** Memory limit of decoded nodes; their bytes are kept besides. */
const cacheBytes = 64 * 1024 * 1024;

const unknownBlock = (hash: BlockHash): NodeError =>
  new NodeError('UnknownBlock', `No endpoint knows the block ${hash}`);

const heapPagesKey = /* @__PURE__ */ textToBytes(':heappages');

/** Reads in one round what loading the runtime needs, without its code, which may be loaded already. */
const readCode = async (store: TrieStore, state: Backend): Promise<void> => {
  const reads = [
    () => state.valueHash(codeKey),
    () => state.valueHash(pendingCodeKey),
    () => state.get(heapPagesKey),
  ];
  await store.run(
    () => {
      for (const read of reads) read();
    },
    () => reads,
  );
};

export const openLiveView = async ({ crypto, executor, origin, onError }: LiveDeps): Promise<LiveView> => {
  const db = createMemoryDatabase();
  const nodes = createLiveNodes(origin, crypto.blake2b256);
  const { blake2b256 } = crypto;
  const store = await openTrieStore(db, { blake2b256, cacheBytes, journalBytes: 0, origin: nodes, onError });
  const own = createChainView(
    { crypto, db, executor, store, pruning: keepAllStates, substitute: null },
    new Map(),
  );
  const stored: BlockHash[] = [];
  const findHeader = async (hash: BlockHash): Promise<Header | null> => {
    const known = await own.loadHeader(hash);
    if (known !== null) return known;
    const bytes = await origin.header(blockHashToBytes(hash));
    if (bytes === null) return null;
    const header = decodeHeader(bytes);
    const record = encodeHeaderRecord(header, { weight: 0, isOwn: false });
    stored.push(hash);
    const old = stored.splice(0, Math.max(0, stored.length - keptHeaders));
    await db.write({
      puts: [['headers', blockHashToBytes(hash), record]],
      deletes: old.map((one) => ['headers', blockHashToBytes(one)]),
    });
    return header;
  };
  const loadHeader = async (hash: BlockHash): Promise<Header> => {
    const header = await findHeader(hash);
    if (header === null) throw unknownBlock(hash);
    return header;
  };
  const loadBody = async (hash: BlockHash): Promise<readonly Uint8Array[]> => {
    const body = await origin.body(blockHashToBytes(hash));
    if (body === null) throw unknownBlock(hash);
    return body;
  };
  const view: ChainView = {
    ...own,
    loadHeader: findHeader,
    loadBlock: async (hash) => {
      const header = await findHeader(hash);
      return header === null ? null : { header, extrinsics: await loadBody(hash), justifications: null };
    },
    // What is read next is read from this state, and so proven at this block.
    backendAt: async (hash) => {
      await loadHeader(hash);
      nodes.readAt(blockHashToBytes(hash));
      return own.backendAt(hash);
    },
  };
  const { record } = createProofs({ store, view, signatures: createSignatureCache() });
  return {
    store,
    nodes,
    record,
    loadBlock: async (hash) => {
      const [header, extrinsics] = await Promise.all([loadHeader(hash), loadBody(hash)]);
      return { header, extrinsics };
    },
    stateAt: view.backendAt,
    runtimeAfter: async (hash, state) => {
      await readCode(store, state);
      return view.runtimeAt(hash, 'onchain');
    },
    changedBy: (hash) => origin.diff(blockHashToBytes(hash)),
    keep: nodes.keep,
  };
};
