import { afterAll, beforeAll, expect } from 'vitest';
import type { ForkSource } from '../../src/protocol/fork-source.ts';
import type { ChainSource, NodeConfig } from '../../src/protocol/node.ts';
import type { Origin } from '../../worker/chain/origin.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { encodeSignedBlock, type SignedBlock } from '../../worker/codec/signed-block.ts';
import type { Database } from '../../worker/db/database.ts';
import { createMemoryDatabase } from '../../worker/db/memory.ts';
import type { NodeStoreEngine } from '../../worker/db/node-store.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { type DevNode, startDevNode } from '../rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { originOf } from './chain-origin.ts';

/** A live chain for the tests of a file. Its best block has this number, and is final. */
export const liveChain = (blocks: number): (() => DevNode) => {
  let live: DevNode;
  beforeAll(async () => {
    live = await startDevNode();
    for (let block = 0; block < blocks; block++) await sealOn(live.node);
    await live.node.parts.chain.finalize(live.best().hash);
  }, 60_000);
  afterAll(() => live.stop());
  return () => live;
};

export type ForkOptions = {
  /** Default: the live chain's finalized block. */
  readonly block?: string | undefined;
  readonly db?: Database;
  readonly keys?: readonly string[];
  readonly origin?: Origin;
  /** None: the fork has no live chain to read. */
  readonly endpoints?: readonly string[];
  readonly changes?: Partial<NodeConfig>;
  readonly source?: Partial<ForkSource>;
  /** What this fork shares with others. */
  readonly openNodeStore?: () => Promise<NodeStoreEngine>;
};

/** A fork of a node of the same process. */
export const openForkOf = async (live: Node, options: ForkOptions = {}) => {
  const { block, keys = ['//Alice'], endpoints = ['ws://live'], changes, source, openNodeStore } = options;
  const origin = options.origin ?? originOf(live);
  const platform = {
    ...createTestPlatform({ db: options.db ?? createMemoryDatabase() }),
    openOrigin: () => origin,
    nodeStoreOf: () => openNodeStore ?? null,
  };
  const fork = { endpoints, block, ...source };
  const node = await createNode(platform, testConfig({ fork }, { keys, ...changes }));
  return { node, origin, errors: platform.errors, ...connectRpc(node) };
};

export type OpenedFork = Awaited<ReturnType<typeof openForkOf>>;

/** After all blocks of the tests, which travel in time. */
const late = Date.UTC(2040, 0, 1);

/** Imports the blocks of a node's best chain, from a number on, into another node, which computes the same hashes. */
export const importBest = async (
  into: Node,
  { parts: { chain } }: Node,
  from: number,
  to: number,
): Promise<void> => {
  for (let number = from; number <= to; number++) {
    const hash = (await chain.loadHashAt(number)) as BlockHash;
    const block = (await chain.loadBlock(hash)) as SignedBlock;
    expect((await into.importBlock(encodeSignedBlock(block))).hash).toBe(hash);
  }
};

/** A node with the whole state: it executed the live chain's blocks up to the base, and takes those of the fork like any others. */
export const openWhole = async (
  live: Node,
  chain: ChainSource,
  baseNumber: number,
  changes: Partial<NodeConfig> = {},
): Promise<Node> => {
  const node = await createNode(
    createTestPlatform({ now: () => late }),
    testConfig(chain, { keys: [], ...changes }),
  );
  await importBest(node, live, 1, baseNumber);
  return node;
};

/** Imports a fork's best chain into a node with the whole state. */
export const importFork = async (whole: Node, fork: Node): Promise<void> => {
  const { chain } = fork.parts;
  const { hash, number } = chain.best();
  await importBest(whole, fork, chain.base.number + 1, number);
  expect(whole.parts.chain.best().hash).toBe(hash);
};
