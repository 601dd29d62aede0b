import type { NodeConfig } from '../../src/protocol/node.ts';
import { listenAsPeer } from '../../test/network/listen.ts';
import { createTestPlatform, testConfig } from '../../test/rigs/platform.ts';
import type { Database } from '../../worker/db/database.ts';
import { createNode, type Node } from '../../worker/node.ts';

export type Peer = {
  readonly node: Node;
  /** Where others reach it, by WebSocket. */
  readonly addresses: readonly string[];
  close(): Promise<void>;
};

/** For the node that seals: a chain whose time lies in the past may be sealed as fast as possible. */
export const inThePast = { startMs: Date.UTC(2026, 0, 1) } as const;

/** A node of this thread that takes part in a network. An error that it reports makes `close` throw. */
export const startPeer = async (
  chain: NodeConfig['chain'],
  { db, ...changes }: Partial<NodeConfig> & { readonly db?: Database } = {},
): Promise<Peer> => {
  const platform = createTestPlatform({ now: Date.now, ...(db === undefined ? {} : { db }) });
  const config = { finality: { kind: 'grandpa' }, keys: [], network: {} } as const;
  const node = await createNode(platform, testConfig(chain, { ...config, ...changes }));
  const peers = await listenAsPeer(node);
  return {
    node,
    addresses: node.parts.localPeer.addresses(),
    close: async () => {
      await peers.close();
      await node.close();
      if (platform.errors.length > 0) throw platform.errors[0];
    },
  };
};
