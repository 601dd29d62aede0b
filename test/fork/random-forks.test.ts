import { beforeAll, expect, it } from 'vitest';
import { NodeError } from '../../src/protocol/errors.ts';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { encodeSignedBlock, type SignedBlock } from '../../worker/codec/signed-block.ts';
import { readChainTime } from '../../worker/dev/dev.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { storingContract } from '../chain/storing-contract.ts';
import { lastingDatabase } from '../rigs/dev-node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { createRandom } from '../rigs/random.ts';
import { connectRpc } from '../rigs/rpc.ts';
import { type OpenedFork, openForkOf } from './fork-rig.ts';
import { createDice, type Dice, someCall } from './random-calls.ts';
import { createSigner } from './signer.ts';
import { openTraffic } from './traffic.ts';

/** `FORK_SEEDS=1000 npx vitest run random-forks` for many, `FORK_FIRST=7 FORK_SEEDS=1` for one of them. */
const seeds = Number(process.env['FORK_SEEDS'] ?? 30);
const first = Number(process.env['FORK_FIRST'] ?? 1);

/** After all blocks of the forks, which travel in time. */
const late = Date.UTC(2040, 0, 1);
const keys = ['//Alice', '//Bob'];
const manual = { finality: { kind: 'manual' } } as const;
const sign = createSigner();

/** A block of the fork; `block` is null for its base. */
type Built = {
  readonly hash: BlockHash;
  readonly block: SignedBlock | null;
  /** It was built on a state that had been edited, which no other node has. */
  readonly isEdited: boolean;
  /** What is built on it is built on an edited state. */
  leadsToEdited: boolean;
};

/** Builds a block on a parent with random transactions. Null: the runtime refuses one of them. */
const buildBlock = async (
  node: Node,
  dice: Dice,
  parent: BlockHash,
  contract: string | null,
): Promise<BlockHash | null> => {
  const calls = Array.from(
    { length: dice.upTo(5) },
    () => [dice.pick(keys), someCall(dice, contract)] as const,
  );
  const transactions = await sign(node, parent, calls);
  const { result, error } = await connectRpc(node).ask('dev_newBlock', { parent, transactions });
  if (error !== undefined) {
    expect(error).toMatchObject({ data: 'BadExtrinsic' });
    return null;
  }
  return result as BlockHash;
};

/** The contract that is made in block 1 of each live chain. */
let contract: string;
const openLive = async (): Promise<Node> => {
  const node = await createNode(createTestPlatform(), testConfig('development', { keys, ...manual }));
  return node;
};

const deploy = async (node: Node): Promise<string> => {
  const traffic = await openTraffic(node);
  const made = storingContract(traffic.api);
  await traffic.send('//Alice', made.instantiate());
  await traffic.include();
  const address = await made.find();
  const account = traffic.api.createType('AccountId', address).toHex();
  await traffic.close();
  return account;
};

beforeAll(async () => {
  const node = await openLive();
  contract = await deploy(node);
  await node.close();
}, 60_000);

/** A fork, and what was built on it, first its base. */
const createWalk = (dice: Dice, live: Node, base: BlockHash, withContract: boolean) => {
  const db = lastingDatabase();
  const built: Built[] = [{ hash: base, block: null, isEdited: false, leadsToEdited: false }];
  let fork: OpenedFork;
  const open = async (): Promise<void> => {
    fork = await openForkOf(live, { block: base, db, keys, changes: manual });
  };
  const best = (): Built => {
    const { hash } = fork.node.parts.chain.best();
    const found = built.find((one) => one.hash === hash);
    if (found === undefined) throw new Error('The best block was not built here');
    return found;
  };
  /** `dev_setHead` drops the blocks above the new head. */
  const inTree = (): readonly Built[] => {
    const hashes = new Set<string>(fork.node.parts.chain.unfinalized().map(({ hash }) => hash));
    return built.filter(({ hash }) => hashes.has(hash));
  };
  const build = async (on: Built): Promise<void> => {
    const hash = await buildBlock(fork.node, dice, on.hash, withContract ? contract : null);
    if (hash === null || built.some((one) => one.hash === hash)) return;
    const block = (await fork.node.parts.chain.loadBlock(hash)) as SignedBlock;
    const isEdited = on.leadsToEdited;
    built.push({ hash, block, isEdited, leadsToEdited: isEdited });
  };
  const steps: readonly (() => Promise<unknown>)[] = [
    ...Array.from({ length: 6 }, () => () => build(best())),
    () => build(dice.pick(inTree())),
    () => fork.call('dev_setHead', dice.pick(built).hash),
    async () => {
      const to = best();
      const values = Array.from({ length: 3 }, () => [`0x70${dice.bytes(2).slice(2)}`, dice.bytes(40)]);
      await fork.call('dev_setStorage', values, to.hash);
      to.leadsToEdited = true;
    },
    async () => {
      const now = await readChainTime(fork.node.parts);
      // It is 0 at block 0.
      if (now) await fork.call('dev_timeTravel', now + dice.upTo(3 * 3_600_000) + 1);
    },
    async () => {
      await fork.node.close();
      await open();
    },
  ];
  return {
    open,
    step: () => dice.pick(steps)(),
    built,
    errors: () => fork.errors,
    close: () => fork.node.close(),
  };
};

const runSeed = async (seed: number): Promise<number> => {
  const dice = createDice(createRandom(seed));
  const live = await openLive();
  const { chain } = live.parts;
  const withContract = dice.upTo(4) > 0;
  if (withContract) expect(await deploy(live)).toBe(contract);
  const length = dice.upTo(8);
  for (let made = 0; made < length; made++)
    await buildBlock(live, dice, chain.best().hash, withContract ? contract : null);
  const { number: best } = chain.best();
  const least = withContract ? 1 : 0;
  const base = (await chain.loadHashAt(least + dice.upTo(best - least + 1))) as BlockHash;
  const walk = createWalk(dice, live, base, withContract);
  await walk.open();
  for (let step = 0; step < 12; step++) await walk.step();
  let imported = 0;
  for (const { hash, block, isEdited } of walk.built) {
    if (block === null || isEdited) continue;
    expect((await live.importBlock(encodeSignedBlock(block), late)).hash).toBe(hash);
    imported += 1;
  }
  expect(walk.errors()).toEqual([]);
  await walk.close();
  await live.close();
  return imported;
};

it(
  `${seeds} random forks of random chains: a node with the whole state computes the same blocks`,
  async () => {
    let imported = 0;
    for (let seed = first; seed < first + seeds; seed++)
      imported += await runSeed(seed).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${error instanceof NodeError ? error.code : ''} ${String(error)}`, {
          cause: error,
        });
      });
    expect(imported).toBeGreaterThan(seeds);
  },
  Math.max(120_000, seeds * 10_000),
);
