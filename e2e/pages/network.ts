import { startNode, type TabNode } from '../../src/index.ts';
import { signedSetKeys } from '../../test/dev/set-keys.ts';

/** Where the node of the page is, and with whom it is connected. */
export type PeerStatus = {
  readonly best: number;
  readonly bestHash: string;
  readonly finalized: number;
  readonly peers: readonly string[];
  readonly unreachable: Readonly<Record<string, string>>;
};

/** The page's own functions, as the tests call them. */
export type NetworkPage = {
  /** Starts a full node of the chain, which is kept in IndexedDB; with keys it seals in its slots. Returns its peer id. */
  join(specJson: string, bootNodes: readonly string[], keys?: readonly string[]): Promise<string>;
  status(): Promise<PeerStatus>;
  /** Gives the authority whose account this is new keys of the node, which are of the set from the session after next. */
  changeKeys(suri: string): Promise<void>;
  stop(): Promise<void>;
};

declare global {
  interface Window {
    networkPage: NetworkPage;
  }
}

let node: TabNode | null = null;
const need = (): TabNode => {
  if (node === null) throw new Error('No node runs');
  return node;
};

window.networkPage = {
  join: async (specJson, bootNodes, keys = []) => {
    const storage = { kind: 'indexeddb', name: 'tabnode-e2e-network' } as const;
    const seal = keys.length === 0 ? 'manual' : 'slots';
    node = await startNode({ chain: { specJson }, storage, keys, seal, network: { bootNodes } });
    return node.rpc.system_localPeerId();
  },
  status: async () => {
    const { bestNumber, bestHash, finalizedNumber } = await need().status();
    const { peers, unreachable } = await need().rpc.dev_network();
    const ids = peers.map(({ peerId }) => peerId);
    return { best: bestNumber, bestHash, finalized: finalizedNumber, peers: ids, unreachable };
  },
  changeKeys: async (suri) => {
    await need().rpc.author_submitExtrinsic({ extrinsic: await signedSetKeys(need(), suri) });
  },
  stop: () => need().stop(),
};
