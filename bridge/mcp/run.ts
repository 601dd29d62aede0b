import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { NodeError } from '../../src/protocol/errors.ts';
import { createMetaLoader } from '../../ui/meta/load.ts';
import type { McpArguments } from '../mcp-arguments.ts';
import { type NodeAccess, reachNode, startOwnNode } from './node-access.ts';
import { createMcpServer } from './server.ts';
import type { Context } from './tool.ts';

const createContext = (access: NodeAccess, allowWrites: boolean): Context => {
  const request: Context['request'] = async (method, params, options) =>
    (await access.connect()).request(method, params, options);
  let last: Promise<unknown> = Promise.resolve();
  const inTurn: Context['inTurn'] = (work) => {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  };
  return { allowWrites, request, inTurn, connect: access.connect, meta: createMetaLoader({ request }) };
};

/** Serves one client on stdin and stdout until it closes either, a signal arrives, or the node is gone. */
const serveClient = (access: NodeAccess, context: Context): Promise<void> =>
  new Promise((resolve, reject) => {
    const { stdin, stdout } = process;
    let hasSpoken = false;
    let last: Error | null = null;
    stdin.once('data', () => {
      hasSpoken = true;
    });
    const transport = new StdioServerTransport(stdin, stdout);
    const handle = serveStdio(() => createMcpServer(context), {
      transport,
      // Lines that are not messages are ignored; a message that is too long ends the connection.
      onerror: (error) => {
        last = error;
      },
    });
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      const isClientGone = stdin.readableEnded || stdin.destroyed || stdout.destroyed;
      if (!hasSpoken)
        reject(
          new NodeError('BadConfig', 'mcp communicates with its client over stdin, but stdin is closed'),
        );
      else if (isClientGone || last === null) resolve();
      else reject(new NodeError('LimitReached', last.message));
    };
    access.onDeath(reject);
    const end = (): void => {
      resolve();
      void handle.close();
    };
    process.once('SIGINT', end);
    process.once('SIGTERM', end);
  });

/** The node and the server of `tabnode mcp`. */
export const runMcp = async ({ url, node, allowWrites }: McpArguments): Promise<void> => {
  const access = url === null ? await startOwnNode(node) : reachNode(url);
  try {
    await serveClient(access, createContext(access, allowWrites));
  } finally {
    await access.stop();
  }
};
