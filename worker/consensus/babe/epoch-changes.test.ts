import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeEpochChanges, type Epoch, type ForkNode } from '../../../test/consensus/sync-state-types.ts';
import { bytesToHex, hexToBytes } from '../../bytes/hex.ts';
import { Writer } from '../../bytes/writer.ts';
import type { TreeBlock } from '../../chain/tree.ts';
import { encodeEngineItem } from '../../codec/digest.ts';
import type { Header } from '../../codec/header.ts';
import type { BlockHash } from '../../codec/identity.ts';
import type { Runtime } from '../../executor/executor.ts';
import type { Backend } from '../../state/backend.ts';
import { encodePreDigest } from './codec.ts';
import { type EpochSource, encodeEpochChanges } from './epoch-changes.ts';

type Config = Pick<Epoch, 'c' | 'allowedSlots'>;
type Block = {
  readonly hash: string;
  readonly number: number;
  readonly parent: Block | null;
  readonly slot: bigint;
  /** The announcement, if this is the first block of an epoch. */
  announces: { readonly seed: number; readonly config: Config | null } | null;
  /** The block's epoch, as returned by its runtime. */
  epoch: Epoch | null;
};
type Node = {
  readonly block: Block;
  readonly first: Epoch | null;
  readonly epoch: Epoch;
  children: Node[];
};

const duration = 10n;
const firstConfig: Config = { c: [1n, 4n], allowedSlots: 1 };
const fill = (byte: number): string => `0x${byte.toString(16).padStart(2, '0').repeat(32)}`;
const authoritiesOf = (seed: number): Epoch['authorities'] => [[fill(seed % 256), BigInt(seed) + 1n]];

const isAtOrBelow = (ancestor: Block, block: Block): boolean => {
  let at: Block | null = block;
  while (at !== null && at.number > ancestor.number) at = at.parent;
  return at === ancestor;
};
const depthOf = ({ children }: Node): number =>
  children.length === 0 ? 0 : 1 + Math.max(...children.map(depthOf));
const rebalance = (nodes: Node[]): void => {
  nodes.sort((a, b) => depthOf(b) - depthOf(a));
  for (const { children } of nodes) rebalance(children);
};

/**
 * The native node's algorithm, block by block: a tree that the first block of each epoch prunes and then
 * extends.
 */
const createModel = () => {
  let roots: Node[] = [];
  /** The path of nodes down to the deepest one that is an ancestor and passes; empty if there is none. */
  const find = (block: Block, passes: (node: Node) => boolean, strictly: boolean): Node[] => {
    const down = (nodes: readonly Node[]): Node[] => {
      for (const node of nodes) {
        if (!isAtOrBelow(node.block, block) || (strictly && node.block === block)) continue;
        const deeper = down(node.children);
        if (deeper.length > 0) return [node, ...deeper];
        return passes(node) ? [node] : [];
      }
      return [];
    };
    return down(roots);
  };
  const viableFor = (parent: Block, slot: bigint): Epoch => {
    if (parent.number === 0)
      return {
        ...{ epochIndex: 0n, startSlot: slot, duration, authorities: authoritiesOf(0), randomness: fill(0) },
        ...firstConfig,
      };
    const node = find(parent, ({ first, epoch }) => (first ?? epoch).startSlot <= slot, false).at(-1) as Node;
    return node.first !== null && node.epoch.startSlot > slot ? node.first : node.epoch;
  };
  const dropLost = (nodes: readonly Node[], finalized: Block): Node[] => {
    const kept = nodes.filter(({ block }) => isAtOrBelow(block, finalized) || isAtOrBelow(finalized, block));
    for (const node of kept) node.children = dropLost(node.children, finalized);
    return kept;
  };
  const prune = (finalized: Block): void => {
    if (finalized.number === 0) return;
    const root = find(finalized, ({ epoch }) => epoch.startSlot <= finalized.slot, true).at(-1);
    if (root === undefined) return;
    roots = dropLost([root], finalized);
    rebalance(roots);
  };
  const add = (block: Block, finalized: Block, seed: number, config: Config | null): void => {
    const parent = block.parent as Block;
    const viable = viableFor(parent, block.slot);
    const skipped = (block.slot - viable.startSlot) / viable.duration;
    const startSlot = viable.startSlot + skipped * viable.duration;
    const current = { ...viable, epochIndex: viable.epochIndex + skipped, startSlot };
    block.epoch = current;
    if (parent.number > 0 && parent.slot >= viable.startSlot) return;
    block.announces = { seed, config };
    const epoch = {
      ...{ epochIndex: current.epochIndex + 1n, startSlot: startSlot + duration, duration },
      ...{ authorities: authoritiesOf(seed), randomness: fill(seed % 256) },
      ...(config ?? { c: viable.c, allowedSlots: viable.allowedSlots }),
    };
    prune(finalized);
    const above = find(parent, () => true, false).at(-1);
    const siblings = above?.children ?? roots;
    siblings.push({ block, first: parent.number === 0 ? current : null, epoch, children: [] });
    if (siblings.length === 1) rebalance(roots);
  };
  return { add, prune, dropLost: (finalized: Block) => dropLost(roots, finalized) };
};

const span = ({ startSlot }: Epoch) => ({ startSlot, endSlot: startSlot + duration });
const persisted = <T>({ first, epoch }: Node, map: (epoch: Epoch) => T) =>
  first === null
    ? { type: 'Regular', value: map(epoch) }
    : { type: 'Genesis', value: [map(first), map(epoch)] };
const nodeJson = (node: Node): unknown => ({
  ...{ hash: node.block.hash, number: node.block.number, data: persisted(node, span) },
  children: node.children.map(nodeJson),
});
const allOf = (nodes: readonly Node[]): Node[] => nodes.flatMap((node) => [node, ...allOf(node.children)]);

const writeConfig = (writer: Writer, { c, allowedSlots }: Config): Writer =>
  writer.u64(c[0]).u64(c[1]).u8(allowedSlots);
const writeList = (writer: Writer, authorities: Epoch['authorities']): Writer =>
  writer.vec(authorities, (out, [key, weight]) => out.raw(hexToBytes(key)).u64(weight));

const headerOf = (block: Block): Header => {
  const digest = { kind: 'secondaryPlain', authority: 0, slot: block.slot, vrf: null } as const;
  const items = [encodeEngineItem('preRuntime', 'BABE', encodePreDigest(digest))];
  if (block.announces !== null) {
    const { seed, config } = block.announces;
    const next = writeList(new Writer().u8(1), authoritiesOf(seed)).raw(hexToBytes(fill(seed % 256)));
    items.push(encodeEngineItem('consensus', 'BABE', next.finish()));
    if (config !== null)
      items.push(
        encodeEngineItem('consensus', 'BABE', writeConfig(new Writer().u8(3).u8(1), config).finish()),
      );
  }
  const root = new Uint8Array(32);
  return {
    parentHash: block.parent === null ? root : hexToBytes(block.parent.hash),
    number: block.number,
    stateRoot: root,
    extrinsicsRoot: root,
    digest: block.number === 0 ? [] : items,
  };
};

const encodeEpoch = (epoch: Epoch): Uint8Array => {
  const writer = new Writer().u64(epoch.epochIndex).u64(epoch.startSlot);
  writeList(writer.u64(epoch.duration), epoch.authorities).raw(hexToBytes(epoch.randomness));
  return writeConfig(writer, epoch).finish();
};

/** The BabeApi of a block: the genesis configuration at block 0, the current epoch elsewhere. */
const runtimeOf = (block: Block): Runtime => {
  const genesis = new Writer().u64(6000n).u64(duration);
  genesis.u64(firstConfig.c[0]).u64(firstConfig.c[1]);
  writeList(genesis, authoritiesOf(0))
    .raw(hexToBytes(fill(0)))
    .u8(firstConfig.allowedSlots);
  const output = block.epoch === null ? genesis.finish() : encodeEpoch(block.epoch);
  return { call: () => ({ ok: true, output, logs: [] }) } as unknown as Runtime;
};

const sourceOf = (blocks: readonly Block[], finalized: Block) => {
  const byHash = new Map(blocks.map((block) => [block.hash, block]));
  const chain: Block[] = [];
  for (let block: Block | null = finalized; block !== null; block = block.parent) chain[block.number] = block;
  let headers = 0;
  const source: EpochSource = {
    genesisHash: (blocks[0] as Block).hash as BlockHash,
    loadHashAt: async (number) => (chain[number]?.hash ?? null) as BlockHash | null,
    loadHeader: async (hash) => {
      headers += 1;
      const block = byHash.get(hash);
      return block === undefined ? null : headerOf(block);
    },
    readState: async (hash, read) =>
      read({ runtime: runtimeOf(byHash.get(hash) as Block), backend: {} as Backend }),
  };
  const tree: TreeBlock[] = blocks
    .filter((block) => isAtOrBelow(finalized, block))
    .map(({ hash, number, parent }) => ({
      ...{ hash: hash as BlockHash, number, weight: 0, isOwn: false },
      parent: (parent?.hash ?? hash) as BlockHash,
    }));
  const encode = () => encodeEpochChanges(source, tree, tree[0] as TreeBlock);
  return { encode, headers: () => headers };
};

const start: Block = {
  ...{ hash: `0x${'00'.repeat(32)}`, number: 0, parent: null, slot: 0n },
  ...{ announces: null, epoch: null },
};
/** Hashes in a different order than the blocks. */
const hashOf = (index: number): string =>
  bytesToHex(Uint8Array.of((index * 167) & 255, index >> 16, index >> 8, index & 255, ...new Uint8Array(28)));

/**
 * One step: the distance of the parent from the newest block, the number of slots that pass, and whether the
 * oldest pending block becomes final.
 */
const step = fc.record({
  back: fc.nat(8),
  slots: fc.integer({ min: 1, max: 25 }),
  finalize: fc.boolean(),
  config: fc.option(
    fc.record({ c: fc.tuple(fc.bigInt(0n, 9n), fc.bigInt(0n, 9n)), allowedSlots: fc.constantFrom(0, 1, 2) }),
  ),
});

describe('the epoch changes', () => {
  it('equal those of a restarted native node, over forks, finality and epochs without blocks', async () => {
    let forked = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 60 }), async (steps) => {
        const model = createModel();
        const blocks: Block[] = [start];
        let finalized = start;
        for (const [index, { back, slots, finalize, config }] of steps.entries()) {
          const alive = blocks.filter((block) => isAtOrBelow(finalized, block));
          const parent = alive.at(-1 - back) ?? (alive.at(-1) as Block);
          const number = parent.number + 1;
          const block: Block = {
            ...{ hash: hashOf(index + 1), number, parent, slot: parent.slot + BigInt(slots) },
            ...{ announces: null, epoch: null },
          };
          model.add(block, finalized, index + 1, config);
          blocks.push(block);
          if (finalize || index === steps.length - 1) {
            let target = block;
            while (target.parent !== null && target.number > finalized.number + 1) target = target.parent;
            finalized = target;
          }
        }
        model.prune(finalized);
        const { encode } = sourceOf(blocks, finalized);
        const { inner, epochs } = decodeEpochChanges(await encode());
        // As long as the last finalized block is in epoch 0, nothing is pruned there: the difference
        // described in decision 10.
        const roots = model.dropLost(finalized);
        expect(inner).toEqual({ roots: roots.map(nodeJson), bestFinalizedNumber: undefined });
        const nodes = allOf(roots).sort((a, b) => (a.block.hash < b.block.hash ? -1 : 1));
        expect(epochs).toEqual(
          nodes.map((node) => [[node.block.hash, node.block.number], persisted(node, (epoch) => epoch)]),
        );
        if (nodes.some(({ children }) => children.length > 1)) forked += 1;
      }),
      { numRuns: 400 },
    );
    expect(forked).toBeGreaterThan(10);
  });

  const chainOf = (length: number, slots: (index: number) => number) => {
    const model = createModel();
    const blocks: Block[] = [start];
    for (let index = 1; index <= length; index++) {
      const parent = blocks.at(-1) as Block;
      const slot = parent.slot + BigInt(slots(index));
      const block = { ...start, hash: hashOf(index), number: index, parent, slot };
      // Finalized immediately, so that the model's tree stays small.
      model.add(block, parent, index, null);
      blocks.push(block);
    }
    return blocks;
  };
  const rootOf = (node: ForkNode<unknown> | undefined): number[] =>
    node === undefined ? [] : [node.number, ...rootOf(node.children[0])];

  it('of a long chain require only a few headers', async () => {
    const dense = chainOf(10_000, () => 1);
    const full = sourceOf(dense, dense.at(-1) as Block);
    expect(rootOf(decodeEpochChanges(await full.encode()).inner.roots[0])).toEqual([9981, 9991]);
    expect(full.headers()).toBeLessThanOrEqual(12);
    const sparse = chainOf(10_000, (index) => 1 + (index % 3));
    const thin = sourceOf(sparse, sparse.at(-1) as Block);
    decodeEpochChanges(await thin.encode());
    expect(thin.headers()).toBeLessThanOrEqual(20);
  });

  it('are refused if a header is missing or an epoch was never announced', async () => {
    const blocks = chainOf(25, () => 1);
    const last = blocks.at(-1) as Block;
    (blocks[21] as Block).announces = null;
    const hash = (blocks[21] as Block).hash;
    await expect(sourceOf(blocks, last).encode()).rejects.toThrow(`Could not fetch epoch at ${hash}`);
    await expect(sourceOf([start, ...blocks.slice(-2)], last).encode()).rejects.toThrow(
      `Could not fetch epoch at ${(blocks[1] as Block).hash}`,
    );
  });
});
