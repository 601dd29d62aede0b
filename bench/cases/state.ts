import { loadDefaultRuntime, testConfig } from '../../test/rigs/platform.ts';
import { createAuthor } from '../../worker/author/author.ts';
import { bytesToHex, hexToBytes } from '../../worker/bytes/hex.ts';
import { genesisState } from '../../worker/chain/genesis/genesis.ts';
import type { ChainSpec } from '../../worker/chain/genesis/spec.ts';
import { createNetworkRule } from '../../worker/chain/network-rule.ts';
import type { Block } from '../../worker/codec/block.ts';
import { createEngines } from '../../worker/consensus/engines.ts';
import { type Crypto, loadCrypto } from '../../worker/crypto/crypto.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import { createExecutor } from '../../worker/executor/executor.ts';
import { createKeystore } from '../../worker/keystore/keystore.ts';
import { createLocalPeer } from '../../worker/network/local-peer.ts';
import type { Node, NodeParts } from '../../worker/node.ts';
import { openOffchainStorage } from '../../worker/offchain/storage.ts';
import { followChain } from '../../worker/pool/follow.ts';
import { createPool } from '../../worker/pool/pool.ts';
import { createValidator } from '../../worker/pool/validate.ts';
import { accountId, accountPair, accountPrefix } from '../accounts.ts';
import type { Bench, Line } from '../figure.ts';
import { median, medians, type Spent, timed } from '../measure.ts';
import { openClient } from '../nodes.ts';
import { measureReads, readLines } from '../reads.ts';
import { signTransfers } from '../signer.ts';
import { createExecution, fail, noSpec, openStateChain } from '../state-chain.ts';

const transferCount = 100;
/** Enough to outweigh the collections of the genesis, which fall into the first of them. */
const rounds = 101;
const warmUp = 5;
/** Pages until the code is compiled. */
const pageWarmUp = 20;

/** The development genesis with additional synthetic accounts. */
const createSpec = async (crypto: Crypto, accounts: number): Promise<ChainSpec> => {
  const code = await loadDefaultRuntime();
  const source = { kind: 'runtime', code, preset: 'development', patch: null, config: null } as const;
  const { changes } = genesisState(
    { crypto, executor: createExecutor({ crypto }), source: { getNode: () => null } },
    source,
  );
  const top = changes.main.map(([key, value]) => [key, value as Uint8Array] as const);
  for (let index = 0; index < accounts; index++) top.push(accountPair(crypto, accountId(crypto, index)));
  return { ...noSpec, genesis: { kind: 'raw', top, children: [] } };
};

/** A node wired like in createNode, from a specification too large for text. */
export const openChain = async (crypto: Crypto, accounts: number) => {
  const now = (): number => Date.now();
  const db = createMemoryDatabase();
  const keystore = createKeystore({ crypto, db });
  await keystore.insertSuri('babe', 'sr25519', '//Alice');
  const engines = createEngines({ floorMs: () => 0, crypto, keystore, now });
  const opened = await openStateChain(crypto, db, await createSpec(crypto, accounts));
  const { chain, store, verifier, grandpa, equivocations, executor, signatures } = opened;
  const pool = createPool({
    validate: createValidator({ chain, signatures, batchSignatures: async () => null, readAlong: null }),
    hash: crypto.blake2b256,
    now,
    bestNumber: () => chain.best().number,
  });
  const { settled } = followChain({ chain, pool, onError: fail });
  const config = testConfig('development', { finality: { kind: 'manual' } });
  const finality = { mode: () => ({ kind: 'manual' }), close: () => undefined } as never;
  const selectEngine = engines.select;
  const author = createAuthor({
    ...{ chain, pool, crypto, signatures, selectEngine, settled, finality },
    executor,
    rule: createNetworkRule(),
    wallMs: Date.now,
    fuel: 'import',
    predictsReads: false,
  });
  const storage = await openOffchainStorage(db, chain.best().hash, console.error);
  const parts: NodeParts = {
    chain,
    fork: null,
    grandpa,
    voting: { doubleVotes: () => [], rounds: () => null, close: async () => undefined },
    equivocations,
    pool,
    author,
    finality,
    sealing: { mode: () => config.seal, setMode: () => undefined, close: () => undefined } as never,
    keystore,
    executor,
    status: () => Promise.reject(new Error('nobody asks')),
    localPeer: createLocalPeer({ publicKey: () => new Uint8Array(32) }),
    network: undefined as never,
    joinNetwork: undefined as never,
    leaveNetwork: () => undefined,
    syncing: undefined as never,
    offchain: { storage, idle: async () => undefined, close: storage.flush },
    crypto,
    db,
    schedule: () => () => undefined,
    onError: fail,
    dev: undefined as never,
    sessionKeys: () => Promise.resolve(),
    dialect: config.dialect,
    config,
  };
  return { parts, chain, store, verifier };
};

export type OpenedState = Awaited<ReturnType<typeof openChain>>;

/** One block of `count` transfers to accounts spread over the state, each `step` after the one before it. */
export const sealTransfers = async (
  crypto: Crypto,
  parts: OpenedState['parts'],
  { count, step }: { readonly count: number; readonly step: number },
): Promise<Block> => {
  const { pool, author, chain } = parts;
  const recipients = Array.from({ length: count }, (_, index) => accountId(crypto, index * step + 1));
  for (const text of await signTransfers({ parts } as Node, count, { recipients, senders: 1 })) {
    const result = await pool.submit(hexToBytes(text), 2);
    if (!result.ok) throw new Error(`submit: ${JSON.stringify(result)}`);
  }
  const sealed = await author.seal({ createEmpty: true, finalize: false });
  if (!sealed.ok || sealed.included !== count)
    throw new Error(`the block holds not all: ${JSON.stringify(sealed)}`);
  const block = await chain.loadBlock(sealed.hash);
  if (block === null) throw new Error('the block is not there');
  return block;
};

/**
 * One block of transfers to accounts spread over the state, executed repeatedly on its warm parent state,
 * with every signature verified.
 */
const measureExecution = async (
  crypto: Crypto,
  { parts, store, verifier }: OpenedState,
): Promise<{ warm: Spent; cold: number }> => {
  const block = await sealTransfers(crypto, parts, { count: transferCount, step: 9 });
  const all: Spent[] = [];
  const execute = await createExecution(crypto, { chain: parts.chain, verifier }, block, store);
  for (let round = 0; round < rounds + warmUp; round++) all.push(await timed(execute));
  return { warm: medians(all.slice(warmUp)), cold: all[0]?.ms ?? Number.NaN };
};

/** Pages of keys, each read for the first time, and a long read that lets other requests run in between. */
const measureLongReads = async (crypto: Crypto, { parts }: OpenedState): Promise<Line[]> => {
  const client = openClient({ parts } as Node);
  const prefix = bytesToHex(accountPrefix(crypto));
  const pages: Spent[] = [];
  let start: string | null = null;
  for (let round = 0; round < pageWarmUp + rounds; round++) {
    const one = await timed(() => client.request('state_getKeysPaged', [prefix, 1000, start]));
    const keys = one.value as string[];
    if (keys.length !== 1000) throw new Error('a short page');
    start = keys.at(-1) ?? null;
    if (round >= pageWarmUp) pages.push(one);
  }
  const { port1, port2 } = new MessageChannel();
  const turns: number[] = [];
  let last = performance.now();
  port1.onmessage = () => {
    turns.push(performance.now() - last);
    last = performance.now();
    port2.postMessage(null);
  };
  port2.postMessage(null);
  const pairs = (await client.request('state_getPairs', [`${prefix}40`])) as unknown[];
  port1.close();
  client.close();
  const { ms, cpuMs } = medians(pages);
  return [
    {
      name: 'state_getKeysPaged, 1,000 keys of 1,000,000',
      value: ms,
      cpu: cpuMs,
      unit: 'ms',
      budget: 10,
      note: `median of ${rounds} pages in a row, each new, text of the answer included`,
    },
    {
      name: `state_getPairs of ${pairs.length} pairs: median turn`,
      value: median(turns.filter((turn) => turn > 1)),
      unit: 'ms',
      budget: null,
      note: `gives way every 10 ms; longest ${Math.max(...turns).toFixed(0)} ms, of which the answer's text is one`,
    },
  ];
};

const sizes = [1000, 1_000_000] as const;

export const accounts: Bench = {
  name: 'accounts',
  about: 'the same 100-transfer block imported with 1,000,000 accounts and with 1,000',
  run: async () => {
    const crypto = await loadCrypto();
    const results = [];
    const reads: Line[] = [];
    for (const size of sizes) {
      const opened = await openChain(crypto, size);
      results.push(await measureExecution(crypto, opened));
      if (size === 1_000_000) reads.push(...(await measureLongReads(crypto, opened)));
    }
    const [small, big] = results;
    if (small === undefined || big === undefined) throw new Error('nothing measured');
    const line = (size: string, { warm, cold }: typeof small): Line => ({
      name: `  with ${size} accounts`,
      value: warm.ms,
      cpu: warm.cpuMs,
      unit: 'ms',
      budget: null,
      note: `median of ${rounds}; first run ${cold.toFixed(1)} ms`,
    });
    return [
      {
        name: 'import of 100 transfers, 1 M accounts against 1 k',
        value: big.warm.ms / small.warm.ms,
        unit: '×',
        budget: 1.5,
        note: 'verified, executed, roots compared; caches warm',
      },
      line('1,000', small),
      line('1,000,000', big),
      ...reads,
    ];
  },
};

export const reads: Bench = {
  name: 'reads',
  about: 'state reads in the overlay: hits and trie walks',
  run: async () => readLines('', measureReads(await loadCrypto())),
};
