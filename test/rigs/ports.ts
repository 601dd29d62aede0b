import { type Connection, createConnection } from '../../src/connection.ts';
import type { Node } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';

/** A JSON-RPC client of a node in the same process, over a port as in a page. */
export const openPort = (node: Node): Connection & { shut(): void } => {
  const server = createRpcServer(node.parts);
  const { port1, port2 } = new MessageChannel();
  server.connectPort(port1 as unknown as MessagePort, { dialect: 'polkadot-sdk', denyUnsafe: false });
  const connection = createConnection(port2 as unknown as MessagePort);
  const shut = (): void => {
    connection.close();
    server.close();
    port1.close();
    port2.close();
  };
  return { ...connection, shut };
};
