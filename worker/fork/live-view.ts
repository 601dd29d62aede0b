import { NodeError } from '../../src/protocol/errors.ts';
import { textToBytes } from '../bytes/bytes.ts';
import { codeKey, pendingCodeKey } from '../chain/genesis/genesis.ts';
import type { Origin } from '../chain/origin.ts';
import { createProofs } from '../chain/proofs.ts';
import { keepAllStates } from '../chain/states/state-pruning.ts';
import { openTrieStore, type TrieStore } from '../chain/states/trie-store.ts';
import { type BlocksBelow, createChainView } from '../chain/view.ts';
import { decodeHeader } from '../codec/header.ts';
import { blockHashToBytes, bytesToBlockHash } from '../codec/identity.ts';
import type { Crypto } from '../crypto/crypto.ts';
import { createMemoryDatabase } from '../db/memory.ts';
import type { Executor } from '../executor/executor.ts';
import { createSignatureCache } from '../executor/signature-cache.ts';
import type { Backend } from '../state/backend.ts';
import { createLiveNodes, type LiveNodes } from './live-nodes.ts';
import type { ReplaySource } from './replay.ts';

/** Blocks, states and runtimes of a live chain, read when they are needed and verified by their hashes. */
export type LiveView = ReplaySource & { readonly nodes: LiveNodes };

/** What is asked of a live chain to execute its blocks. */
export type LiveOrigin = Pick<Origin, 'hashAt' | 'header' | 'body' | 'nodes' | 'keysPaged' | 'diff'>;

export type LiveDeps = {
  readonly crypto: Crypto;
  readonly executor: Executor;
  readonly origin: LiveOrigin;
  readonly onError: (error: unknown) => void;
};

/** Memory limit of decoded nodes; their bytes are kept besides. */
const cacheBytes = 64 * 1024 * 1024;

/** A view without blocks of its own: each one lies on the live chain. */
const allOf = (origin: LiveOrigin): BlocksBelow => ({
  base: Number.POSITIVE_INFINITY,
  hashAt: async (number) => {
    const hash = await origin.hashAt(number);
    return hash === null ? null : bytesToBlockHash(hash);
  },
  header: async (hash) => {
    const bytes = await origin.header(blockHashToBytes(hash));
    return bytes === null ? null : decodeHeader(bytes);
  },
  body: (hash) => origin.body(blockHashToBytes(hash)),
});

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
  const view = createChainView(
    { crypto, db, executor, store, pruning: keepAllStates, substitute: null, below: allOf(origin) },
    new Map(),
  );
  const { record } = createProofs({ store, view, signatures: createSignatureCache() });
  return {
    store,
    nodes,
    record,
    loadBlock: async (hash) => {
      const block = await view.loadBlock(hash);
      if (block === null) throw new NodeError('UnknownBlock', `No endpoint knows the block ${hash}`);
      return block;
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
