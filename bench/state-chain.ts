import { type Chain, createChain } from '../worker/chain/chain.ts';
import { type FinalityGadget, noFinality } from '../worker/chain/finality-gadget.ts';
import { openTree } from '../worker/chain/genesis/open.ts';
import { type ChainSpec, plainSpec } from '../worker/chain/genesis/spec.ts';
import { hashHeader } from '../worker/chain/hashes.ts';
import { executeBlock } from '../worker/chain/import/execute.ts';
import { verifyBlock } from '../worker/chain/import/verify.ts';
import { createNetworkRule } from '../worker/chain/network-rule.ts';
import { openTrieStore, type TrieStore } from '../worker/chain/states/trie-store.ts';
import { createBlockTree } from '../worker/chain/tree.ts';
import type { Block } from '../worker/codec/block.ts';
import { createEquivocations } from '../worker/consensus/equivocations.ts';
import { createGrandpa } from '../worker/consensus/grandpa/grandpa.ts';
import { createVerifier } from '../worker/consensus/verifier.ts';
import type { Crypto } from '../worker/crypto/crypto.ts';
import type { Database } from '../worker/db/database.ts';
import { batchSignatures } from '../worker/executor/batched-signatures.ts';
import { createExecutor } from '../worker/executor/executor.ts';
import { createSignatureCache } from '../worker/executor/signature-cache.ts';
import { createBackend } from '../worker/state/backend.ts';
import { type Spent, timed } from './measure.ts';

export const storeLimits = { cacheBytes: 64 * 1024 * 1024, journalBytes: 16 * 1024 * 1024 };

export const fail = (error: unknown): never => {
  throw error;
};

/**
 * A specification too large for text is passed as an object; a database that already holds the chain needs
 * none.
 */
export const noSpec: ChainSpec = {
  name: 'Bench',
  id: 'bench',
  chainType: 'Development',
  properties: {},
  ...plainSpec,
  genesis: { kind: 'raw', top: [], children: [] },
};

/** The chain of a node wired like in createNode, in Node.js and in a page. */
export const openStateChain = async (crypto: Crypto, db: Database, spec: ChainSpec) => {
  const now = (): number => Date.now();
  const signatures = createSignatureCache();
  const executor = createExecutor({ crypto });
  const store = await openTrieStore(db, { ...storeLimits, blake2b256: crypto.blake2b256, onError: fail });
  const identity = new Uint8Array(32);
  const opened = await openTree({ crypto, db, executor, store }, spec, identity);
  await store.flush();
  const grandpa = createGrandpa({ crypto, db });
  const equivocations = createEquivocations();
  const verifier = createVerifier({
    crypto,
    clock: { now, followsWall: false },
    equivocations,
    verifyOwnBlocks: false,
    trustBlocks: false,
    isLive: false,
    view: {
      loadHeader: (hash) => chain.view.loadHeader(hash),
      readState: (hash, read) => chain.view.readState(hash, read),
    },
  });
  const chain: Chain = createChain(
    {
      ...{
        crypto,
        db,
        executor,
        store,
        verifier,
        finality: grandpa,
        signatures,
        batchSignatures: () => batchSignatures(signatures),
        substitute: null,
        onError: fail,
      },
      rule: createNetworkRule(),
    },
    { spec, identity, ...opened },
  );
  return { chain, store, verifier, grandpa, equivocations, executor, signatures };
};

export type StateChain = Pick<Awaited<ReturnType<typeof openStateChain>>, 'chain' | 'verifier'>;

/** Verifies and executes block 1 of the chain over a node store, each time with no signature known. */
export const createExecution = async (
  crypto: Crypto,
  { chain, verifier }: StateChain,
  block: Block,
  store: TrieStore,
): Promise<() => Promise<void>> => {
  const parentHeader = await chain.loadHeader(chain.genesisHash);
  if (parentHeader === null) throw new Error('no genesis');
  const runtime = await chain.runtimeAt(chain.genesisHash);
  const backend = createBackend({ blake2b256: crypto.blake2b256, source: store }, parentHeader.stateRoot);
  const parent = { hash: chain.genesisHash, number: 0, parent: chain.genesisHash, weight: 0, isOwn: false };
  const view = {
    loadHeader: async () => parentHeader,
    runtimeAt: async () => runtime,
    backendAt: async () => backend,
  };
  const finality: FinalityGadget = { importBlock: async () => noFinality(null) } as never;
  const proofs = { record: () => Promise.reject(new Error('The runtime is no parachain')) };
  const deps = { crypto, verifier, store, view, proofs, finality, finalityView: chain.view as never };
  const incoming = {
    hash: hashHeader(crypto, block.header),
    block,
    isRootKnown: false,
    origin: 'file' as const,
    chainTimeMs: 0,
    finalize: false,
    justifications: null,
  };
  return async () => {
    const signatures = createSignatureCache();
    const batched = () => batchSignatures(signatures);
    const fresh = { ...deps, tree: createBlockTree(parent), signatures, batchSignatures: batched };
    const verified = await verifyBlock(fresh, incoming);
    if (!verified.ok) throw new Error(verified.message);
    const executed = await executeBlock(fresh, verified.value, null);
    if (!executed.ok) throw new Error(executed.message);
  };
};

/**
 * Executes the block over separate node stores with nothing in memory, `times` times in a row each; one
 * result per store.
 */
export const executeCold = async (
  crypto: Crypto,
  opened: StateChain,
  block: Block,
  db: Database,
  times: number,
): Promise<Spent[]> => {
  const store = await openTrieStore(db, { ...storeLimits, blake2b256: crypto.blake2b256, onError: fail });
  const run = await createExecution(crypto, opened, block, store);
  const spent: Spent[] = [];
  for (let time = 0; time < times; time++) spent.push(await timed(run));
  return spent;
};
