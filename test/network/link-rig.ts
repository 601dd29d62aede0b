import type { ChainSource, NodeConfig } from '../../src/protocol/node.ts';
import type { ChainEvent } from '../../worker/chain/events.ts';
import type { Database } from '../../worker/db/database.ts';
import { createNode, type Node } from '../../worker/node.ts';
import { createTestPlatform, testConfig } from '../rigs/platform.ts';

/** A wall clock for several nodes, which a test moves by slots. */
export const createWallClock = (startMs = Date.UTC(2031, 0, 1)) => {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    pass: (ms: number): void => {
      nowMs += ms;
    },
  };
};

export type WallClock = ReturnType<typeof createWallClock>;

/** A node that follows the clock; errors are collected. */
export const startLinked = async (
  { now }: WallClock,
  chain: ChainSource,
  changes: Partial<NodeConfig> & { readonly db?: Database },
) => {
  const { db, ...rest } = changes;
  const platform = createTestPlatform({ now, ...(db === undefined ? {} : { db }) });
  const node = await createNode(
    platform,
    testConfig(chain, { finality: { kind: 'grandpa' }, clock: 'wall', ...rest }),
  );
  return {
    node,
    chain: node.parts.chain,
    errors: platform.errors,
    stop: async (): Promise<void> => {
      await node.close();
      if (platform.errors.length > 0) throw platform.errors[0];
    },
  };
};

export type LinkedNode = Awaited<ReturnType<typeof startLinked>>;

/** Links two nodes. Returns the function that cuts the link. */
export const link = async (
  first: { readonly node: Node },
  second: { readonly node: Node },
): Promise<() => Promise<void>> => {
  const { port1, port2 } = new MessageChannel();
  const { network } = first.node.parts;
  const id = await network.link(port1 as unknown as MessagePort);
  await second.node.parts.network.link(port2 as unknown as MessagePort);
  return () => network.unlink(id);
};

/** Resolves when a chain satisfies a condition, which is checked after each event. */
export const until = ({ chain }: LinkedNode, isMet: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    if (isMet()) return resolve();
    const off = chain.onEvent((_event: ChainEvent) => {
      if (!isMet()) return;
      off();
      resolve();
    });
  });

/** Moves the clock forward until one of the nodes has sealed a block and all of them have it. */
export const sealNext = async (clock: WallClock, nodes: readonly LinkedNode[]): Promise<void> => {
  for (;;) {
    clock.pass(3000);
    for (const { node } of nodes) {
      const sealed = await node.parts.author.seal({ createEmpty: true, finalize: false, wall: true });
      if (!sealed.ok) continue;
      await Promise.all(nodes.map((one) => until(one, () => one.chain.view.tree.get(sealed.hash) !== null)));
      return;
    }
  }
};
