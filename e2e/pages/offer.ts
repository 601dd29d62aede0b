import type { JsonRpcProvider } from 'polkadot-api';
import { createClient } from 'polkadot-api';
import {
  findNodes,
  type OfferDetail,
  offerNode,
  startNode,
  type TabNode,
  toRequestProvider,
} from '../../src/index.ts';

/** The page's own functions, as the tests call them. */
export type OfferPage = {
  /** Starts a node in memory and offers it; resolves to its genesis hash. */
  offer(options?: Parameters<typeof offerNode>[1]): Promise<string>;
  /** Starts the shared chain, or uses that of another tab. */
  share(): Promise<void>;
  seal(): Promise<void>;
  withdraw(): void;
  /** As a script of the page that knows only the events. */
  askScripts(): Promise<readonly string[]>;
  /** Names of what other pages offer. */
  find(): Promise<readonly string[]>;
  /** A call to the first node that another page offers. */
  askFound(method: string, params: readonly unknown[]): Promise<unknown>;
  /** The number of the shared chain's best block, by polkadot-api through the discovery object. */
  finalized(): Promise<number>;
  /** A call by a connection opened now. */
  ask(method: string, params: readonly unknown[]): Promise<unknown>;
};

declare global {
  interface Window {
    offerPage: OfferPage;
  }
}

let node: TabNode | null = null;
let withdraw = (): void => undefined;
let found: TabNode | null = null;
const need = (): TabNode => {
  if (node === null) throw new Error('no node');
  return node;
};

const details = (): OfferDetail[] => {
  const all: OfferDetail[] = [];
  const onProvider = (detail: OfferDetail): void => void all.push(detail);
  dispatchEvent(new CustomEvent('substrateDiscovery:requestProvider', { detail: { onProvider } }));
  return all;
};

window.offerPage = {
  offer: async (options) => {
    node = await startNode({ seal: 'manual' });
    withdraw = offerNode(node, options);
    return node.info.genesisHash;
  },
  share: async () => {
    const storage = { kind: 'indexeddb', name: 'offer-shared' } as const;
    node = await startNode({ storage, seal: 'manual', shared: true });
  },
  seal: async () => {
    await need().rpc.dev_newBlock({});
  },
  withdraw: () => withdraw(),
  askScripts: async () => {
    const answers = details().map(async ({ kind, info, provider }) => {
      const { request } = await provider;
      const unsafe = await request({ method: 'dev_newBlock' }).catch(({ code }) => `refused ${code}`);
      return `${kind} ${info.name} ${await request({ method: 'system_chain' })} ${unsafe}`;
    });
    return Promise.all(answers);
  },
  find: async () => (await findNodes()).map(({ name }) => name),
  askFound: async (method, params) => {
    found ??= (await (await findNodes())[0]?.open()) ?? null;
    if (found === null) throw new Error('nothing found');
    return toRequestProvider(found)
      .request({ method, params })
      .catch(({ code }) => `refused ${code}`);
  },
  finalized: async () => {
    const [detail] = details();
    const chain = Object.values((await detail?.provider)?.getChains() ?? {})[0];
    const client = createClient(chain?.connect as JsonRpcProvider);
    const { number } = await client.getFinalizedBlock();
    client.destroy();
    return number;
  },
  ask: async (method, params) => (await need().connect()).request(method, params),
};
