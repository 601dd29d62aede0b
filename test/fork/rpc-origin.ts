import type { Origin } from '../../worker/chain/origin.ts';
import type { Node } from '../../worker/node.ts';
import type { OriginEndpoint } from '../../worker/origin/origin.ts';
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

type Request = { readonly id: number; readonly method: string };

/** What an endpoint does instead of answering: it says nothing, or refuses. */
export type Misbehavior = 'silent' | { readonly code: number; readonly message: string };

type EndpointOptions = {
  /** Called with the method of each request; null: the node answers. */
  readonly instead?: (method: string) => Misbehavior | null;
  /** What it says it offers; default: all. */
  readonly methods?: readonly string[] | undefined;
};

/** A node over its own JSON-RPC as a provider. `of` may be a function: which node it is at the time. */
export const rpcEndpoint = (
  name: string,
  of: Node | (() => Node),
  { instead = () => null, methods }: EndpointOptions = {},
): OriginEndpoint => {
  const node = typeof of === 'function' ? of : () => of;
  return {
    name,
    provider: (onMessage: (text: string) => void) => {
      const connections = createConnections((text) => onMessage(text));
      const answer = async (text: string): Promise<string | null> => {
        const { id, method } = JSON.parse(text) as Request;
        const other = instead(method);
        if (other === 'silent') return null;
        if (other !== null) return JSON.stringify({ jsonrpc: '2.0', id, error: other });
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
};

/** The origin of a node over its own JSON-RPC. `onRequest`: called with the method of each request. */
export const rpcOrigin = async (
  of: Node | (() => Node),
  { methods, isConfirmed = false, ...expected }: RpcOriginOptions = {},
  onRequest: (method: string) => void = () => undefined,
): Promise<Origin> => {
  const instead = (method: string): null => {
    onRequest(method);
    return null;
  };
  const times = isConfirmed ? { times: { confirmMs: 0 } } : {};
  const endpoint = rpcEndpoint('other', of, { instead, methods });
  const { origin } = await openRealOrigin([endpoint], { ...expected, ...times });
  return origin;
};
