import type { TabNode } from '../start.ts';
import { startNodeInThread } from '../thread.ts';
import { type AccountSource, openAccounts, type TestAccount } from './accounts.ts';
import { type FixtureOptions, fresh, prepareNode, toNodeOptions, updatePack } from './fork-fixture.ts';

export { type AccountSource, openAccounts, type TestAccount } from './accounts.ts';

/** A page's WebSocket, routed by Playwright. */
type Route = {
  send(text: string): void;
  onMessage(listener: (data: string | Uint8Array) => void): void;
  onClose(listener: () => void): void;
};
type RoutingPage = {
  routeWebSocket(url: string | RegExp, handler: (route: Route) => unknown): Promise<void>;
};
type Use<T> = (value: T) => Promise<void>;

export type NodeFixtureOptions = FixtureOptions & {
  /** Which WebSocket URLs of the page are routed to the node; by default every node on this machine. */
  readonly url?: string | RegExp;
  /** What the fixture `accounts` opens: `['alice', { file, password }]`. */
  readonly accounts?: readonly AccountSource[];
  /** Runs once, before the snapshot that every test starts from. */
  readonly prepare?: (node: TabNode) => Promise<void>;
};

const localNodes = /^wss?:\/\/(127\.0\.0\.1|localhost):(9944|9933|8000)\b/;

/** Connects a page's WebSocket to the node without opening a port, so tests can run in parallel. */
const join = async (node: TabNode, route: Route): Promise<void> => {
  const early: string[] = [];
  let deliver = (text: string): void => void early.push(text);
  let close = (): void => undefined;
  route.onMessage((data) => deliver(typeof data === 'string' ? data : new TextDecoder().decode(data)));
  route.onClose(() => close());
  const port = await node.openPort({ dialect: 'polkadot-sdk', transport: 'ws' });
  port.onmessage = ({ data }: { data: unknown }): void => {
    for (const text of Array.isArray(data) ? data : [data]) if (typeof text === 'string') route.send(text);
  };
  deliver = (text) => port.postMessage(text);
  close = () => {
    port.postMessage({ note: 'bye' });
    port.close();
  };
  for (const text of early) deliver(text);
};

/**
 * Fixtures for `test.extend`: one node per worker process, and `node`, which is the same node restored to its
 * start for each test, with the page's WebSockets routed to it. The dApp under test needs no change. With `fork`, the node
 * continues a live chain, from a pack without the network. `accounts` are signers, opened once for each worker process.
 */
export const nodeFixtures = ({
  url = localNodes,
  prepare,
  accounts = [],
  ...options
}: NodeFixtureOptions = {}) => ({
  startedNode: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the requested fixtures
    async ({}: object, use: Use<TabNode>): Promise<void> => {
      const node = await prepareNode(await startNodeInThread(await toNodeOptions(options)), prepare);
      await use(node);
      await updatePack(options, node);
      await node.stop();
    },
    { scope: 'worker' },
  ] as [(given: object, use: Use<TabNode>) => Promise<void>, { scope: 'worker' }],
  accounts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the requested fixtures
    async ({}: object, use: Use<readonly TestAccount[]>): Promise<void> => use(await openAccounts(accounts)),
    { scope: 'worker' },
  ] as [(given: object, use: Use<readonly TestAccount[]>) => Promise<void>, { scope: 'worker' }],
  node: async (
    { startedNode, page }: { readonly startedNode: TabNode; readonly page: RoutingPage },
    use: Use<TabNode>,
  ): Promise<void> => {
    await startedNode.restore(fresh);
    await page.routeWebSocket(url, (route) => join(startedNode, route));
    await use(startedNode);
  },
});
