import type { NodeOptions, TabNode } from '../start.ts';
import { startNodeInThread } from '../thread.ts';
import { type AccountSource, openAccounts, type TestAccount } from './accounts.ts';
import { type FixtureOptions, fresh, prepareNode, toNodeOptions, updatePack } from './fork-fixture.ts';

export { type AccountSource, openAccounts, type TestAccount } from './accounts.ts';

/** How a node for tests is started. */
export type NodeFixtureOptions = FixtureOptions & {
  /** `startNode` in Vitest's browser mode; by default a Node.js thread. */
  readonly start?: (options: NodeOptions) => Promise<TabNode>;
  /** What the fixture `accounts` opens: `['alice', { file, password }]`. */
  readonly accounts?: readonly AccountSource[];
  /** Runs once, before the snapshot that every test starts from: fund accounts, set up pallets. */
  readonly prepare?: (node: TabNode) => Promise<void>;
};

type Use<T> = (value: T) => Promise<void>;

const begin = async ({ start, prepare, accounts: _, ...options }: NodeFixtureOptions): Promise<TabNode> =>
  prepareNode(await (start ?? startNodeInThread)(await toNodeOptions(options)), prepare);

/**
 * Fixtures for `test.extend`: one node per file, and `node`, which is the same node restored to its start for
 * each test. No test sees what another did to the chain; restoring takes milliseconds. With `fork`, the node continues a live
 * chain, from a pack without the network. `accounts` are signers, opened once for each file of tests.
 */
export const nodeFixtures = (options: NodeFixtureOptions = {}) => ({
  startedNode: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures asked for
    async ({}: object, use: Use<TabNode>): Promise<void> => {
      const node = await begin(options);
      await use(node);
      await updatePack(options, node);
      await node.stop();
    },
    { scope: 'file' },
  ] as [(given: object, use: Use<TabNode>) => Promise<void>, { scope: 'file' }],
  accounts: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures asked for
    async ({}: object, use: Use<readonly TestAccount[]>): Promise<void> =>
      use(await openAccounts(options.accounts ?? [])),
    { scope: 'file' },
  ] as [(given: object, use: Use<readonly TestAccount[]>) => Promise<void>, { scope: 'file' }],
  node: async ({ startedNode }: { readonly startedNode: TabNode }, use: Use<TabNode>): Promise<void> => {
    await startedNode.restore(fresh);
    await use(startedNode);
  },
});
