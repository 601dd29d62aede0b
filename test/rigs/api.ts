import { ApiPromise } from '@polkadot/api';
import { createConnection } from '../../src/connection.ts';
import { polkadotJsProvider } from '../../src/providers/polkadot-js.ts';
import type { Node } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';

/** A real polkadot-js client of a node in the same process, over a port as in a page. */
export const openApi = async (node: Node): Promise<{ readonly api: ApiPromise; close(): Promise<void> }> => {
  const server = createRpcServer(node.parts);
  const { port1, port2 } = new MessageChannel();
  server.connectPort(port1 as unknown as MessagePort, { dialect: 'polkadot-sdk', denyUnsafe: false });
  const connection = createConnection(port2 as unknown as MessagePort);
  const api = await ApiPromise.create({ provider: polkadotJsProvider(connection), noInitWarn: true });
  return {
    api,
    close: async () => {
      await api.disconnect();
      server.close();
      port1.close();
      port2.close();
    },
  };
};
