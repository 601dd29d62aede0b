import type { NodeOptions, TabNode } from '../start.ts';
import { startNodeInThread } from '../thread.ts';
import { type FixtureOptions, fresh, prepareNode, toNodeOptions } from './fork-fixture.ts';

/** How a node for tests is started. */
export type NodeFixtureOptions = FixtureOptions & {
  /** `startNode` in Vitest's browser mode; by default a Node.js thread. */
  readonly start?: (options: NodeOptions) => Promise<TabNode>;
  /** Runs once, before the snapshot that every test starts from: fund accounts, set up pallets. */
  readonly prepare?: (node: TabNode) => Promise<void>;
};

type Use<T> = (value: T) => Promise<void>;

const begin = async ({ start, prepare, ...options }: NodeFixtureOptions): Promise<TabNode> =>
  prepareNode(await (start ?? startNodeInThread)(await toNodeOptions(options)), prepare);

/**
 * Fixtures for `test.extend`: one node per file, and `node`, which is the same node restored to its start for
 * each test. No test sees what another did to the chain; restoring takes milliseconds. With `fork`, the node continues a live
 * chain, from a pack without the network.
 */
export const nodeFixtures = (options: NodeFixtureOptions = {}) => ({
  startedNode: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures asked for
    async ({}: object, use: Use<TabNode>): Promise<void> => {
      const node = await begin(options);
      await use(node);
      await node.stop();
    },
    { scope: 'file' },
  ] as [(given: object, use: Use<TabNode>) => Promise<void>, { scope: 'file' }],
  node: async ({ startedNode }: { readonly startedNode: TabNode }, use: Use<TabNode>): Promise<void> => {
    await startedNode.restore(fresh);
    await use(startedNode);
  },
});
