import type { Origin } from '../../worker/chain/origin.ts';
import type { Node } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';
import { openRealOrigin } from '../origin/origin-rig.ts';

type RpcConnection = ReturnType<ReturnType<typeof createRpcServer>['connect']>;

type RpcOriginOptions = {
  /** The chain that it must be. */
  readonly genesisHash?: Uint8Array;
  readonly title?: string;
  /** What it says it offers; default: all. */
  readonly methods?: readonly string[];
  /** Whether it is asked for its genesis hash before each request, not only now and then. */
  readonly isConfirmed?: boolean;
};

/** The node's side of connections whose node may be replaced. */
const createConnections = (onMessage: (text: string) => void) => {
  const connections = new Map<Node, RpcConnection>();
  return {
    to: (node: Node): RpcConnection => {
      const known = connections.get(node);
      if (known !== undefined) return known;
      const options = { dialect: 'polkadot-sdk', denyUnsafe: false, transport: 'ws' } as const;
      const opened = createRpcServer(node.parts).connect(onMessage, options);
      connections.set(node, opened);
      return opened;
    },
    close: (): void => {
      for (const connection of connections.values()) connection.close();
    },
  };
};

/**
 * The origin of a node over its own JSON-RPC, as a provider. `of` may be a function: which node it is at the time. `onRequest`:
 * called with the method of each request.
 */
export const rpcOrigin = async (
  of: Node | (() => Node),
  { methods, isConfirmed = false, ...expected }: RpcOriginOptions = {},
  onRequest: (method: string) => void = () => undefined,
): Promise<Origin> => {
  const node = typeof of === 'function' ? of : () => of;
  const endpoint = {
    name: 'other',
    provider: (onMessage: (text: string) => void) => {
      const connections = createConnections((text) => onMessage(text));
      const answer = async (text: string): Promise<string | null> => {
        const { id, method } = JSON.parse(text) as { readonly id: number; readonly method: string };
        onRequest(method);
        if (method !== 'rpc_methods' || methods === undefined) return connections.to(node()).handle(text);
        return JSON.stringify({ jsonrpc: '2.0', id, result: { methods } });
      };
      return {
        send: (text: unknown) =>
          void answer(String(text)).then((given) => given !== null && onMessage(given)),
        disconnect: connections.close,
      };
    },
  };
  const times = isConfirmed ? { times: { confirmMs: 0 } } : {};
  const { origin } = await openRealOrigin([endpoint], { ...expected, ...times });
  return origin;
};
