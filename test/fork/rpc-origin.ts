import type { Origin } from '../../worker/chain/origin.ts';
import type { Node } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';
import { openRealOrigin } from '../origin/origin-rig.ts';

type RpcConnection = ReturnType<ReturnType<typeof createRpcServer>['connect']>;

type RpcOriginOptions = {
  readonly title?: string;
  /** What it says it offers; default: all. */
  readonly methods?: readonly string[];
  /** Whether it is asked for its genesis hash before each request, not only now and then. */
  readonly isConfirmed?: boolean;
  /** Called with the method of each request. */
  readonly onRequest?: (method: string) => void;
};

/** The origin of a node over its own JSON-RPC, as a provider. `node`: of which chain it is at the time. */
export const rpcOrigin = async (
  node: () => Node,
  genesisHash: Uint8Array | null = null,
  { title, methods, isConfirmed = false, onRequest }: RpcOriginOptions = {},
): Promise<Origin> => {
  const endpoint = {
    name: 'other',
    provider: (onMessage: (text: string) => void) => {
      const connections = new Map<Node, RpcConnection>();
      const connectionOf = (one: Node): RpcConnection => {
        const known = connections.get(one);
        if (known !== undefined) return known;
        const options = { dialect: 'polkadot-sdk', denyUnsafe: false, transport: 'ws' } as const;
        const opened = createRpcServer(one.parts).connect((text) => onMessage(text), options);
        connections.set(one, opened);
        return opened;
      };
      const answer = async (text: string): Promise<string | null> => {
        const { id, method } = JSON.parse(text) as { readonly id: number; readonly method: string };
        onRequest?.(method);
        if (method !== 'rpc_methods' || methods === undefined) return connectionOf(node()).handle(text);
        return JSON.stringify({ jsonrpc: '2.0', id, result: { methods } });
      };
      return {
        send: (text: unknown) =>
          void answer(String(text)).then((given) => given !== null && onMessage(given)),
        disconnect: () => {
          for (const connection of connections.values()) connection.close();
        },
      };
    },
  };
  const known = genesisHash === null ? {} : { genesisHash };
  const { origin } = await openRealOrigin([endpoint], {
    ...known,
    ...(title && { title }),
    ...(isConfirmed && { times: { confirmMs: 0 } }),
  });
  return origin;
};
