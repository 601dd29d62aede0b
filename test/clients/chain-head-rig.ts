import { afterEach, beforeEach, expect } from 'vitest';
import type { BlockHash } from '../../worker/codec/identity.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';
import { sealOn } from '../rigs/seal-on.ts';
import { openWire, type Wire } from './wire.ts';

export type Event = Readonly<Record<string, unknown>>;

export const namesOf = (items: readonly unknown[]): unknown[] =>
  items.map((item) => (item as Event)['event']);

/** Waits until the last item is an event of this kind. */
export const last = async (items: readonly unknown[], event: object): Promise<void> => {
  await expect.poll(() => items.at(-1), { timeout: 20_000 }).toMatchObject(event);
};

const openForkable = (): Promise<Node> =>
  createNode(createTestPlatform(), testConfig('development', { finality: { kind: 'manual' } }));

/** A node per test, and a client that follows it with chainHead_v1. */
export const useChainHead = (open: () => Promise<Node> = openForkable) => {
  let node: Node;
  let wire: Wire;
  beforeEach(async () => {
    node = await open();
    wire = openWire(node);
  });
  afterEach(async () => {
    wire.close();
    await node.close();
  });
  const seal = (parent?: BlockHash): Promise<BlockHash> => sealOn(node, parent);
  const follow = async (withRuntime = true, on = wire) => {
    const { id, items } = await on.follow('chainHead_v1_follow', withRuntime);
    await expect
      .poll(() => items.some((item) => /bestBlock|stop/.test(`${(item as Event)['event']}`)))
      .toBe(true);
    return { id, items: items as Event[] };
  };
  return {
    get node() {
      return node;
    },
    get wire() {
      return wire;
    },
    seal,
    follow,
    /** Seals on a parent until that branch is the best one. */
    overtake: async (from: BlockHash): Promise<BlockHash[]> => {
      const blocks: BlockHash[] = [];
      const best = node.parts.chain.best().hash;
      for (let parent = from; node.parts.chain.best().hash === best; blocks.push(parent))
        parent = await seal(parent);
      return blocks;
    },
    /** Starts an operation; returns its events up to the last one. */
    operate: async (
      { id, items }: Awaited<ReturnType<typeof follow>>,
      method: string,
      ...params: unknown[]
    ): Promise<Event[]> => {
      const { operationId } = await wire.call<{ operationId: string }>(method, id, ...params);
      const own = () => items.filter((item) => item['operationId'] === operationId);
      await expect
        .poll(() => own().at(-1)?.['event'], { timeout: 20_000 })
        .toMatch(/(Done|Error|Inaccessible)$/);
      return own();
    },
  };
};
