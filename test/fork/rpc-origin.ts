import type { Origin } from '../../worker/chain/origin.ts';
import type { Node } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';
import { openRealOrigin } from '../origin/origin-rig.ts';

/**
 * The origin of a node over its own JSON-RPC, as a provider. `expected`: the chain that it must be. `onRequest`: called with
 * the method of each request.
 */
export const rpcOrigin = async (
  node: Node,
  expected: { readonly genesisHash?: Uint8Array; readonly title?: string } = {},
  onRequest: (method: string) => void = () => undefined,
): Promise<Origin> => {
  const endpoint = {
    name: 'other',
    provider: (onMessage: (text: string) => void) => {
      const connection = createRpcServer(node.parts).connect((text) => onMessage(text), {
        dialect: 'polkadot-sdk',
        denyUnsafe: false,
        transport: 'ws',
      });
      return {
        send: (text: unknown) => {
          onRequest((JSON.parse(String(text)) as { method: string }).method);
          void connection.handle(String(text)).then((answer) => answer !== null && onMessage(answer));
        },
        disconnect: connection.close,
      };
    },
  };
  const { origin } = await openRealOrigin([endpoint], expected);
  return origin;
};
