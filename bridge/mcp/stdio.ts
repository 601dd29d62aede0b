import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { NodeError } from '../../src/protocol/errors.ts';
import type { NodeAccess } from './node-access.ts';

/** Serves one client on stdin and stdout until it closes either, a signal arrives, or the node ends. */
export const serveClient = (access: NodeAccess, createMcp: () => McpServer): Promise<void> =>
  new Promise((resolve, reject) => {
    const { stdin, stdout } = process;
    let hasSpoken = false;
    let last: Error | null = null;
    stdin.once('data', () => {
      hasSpoken = true;
    });
    const transport = new StdioServerTransport(stdin, stdout);
    const handle = serveStdio(createMcp, {
      transport,
      // Lines that are not messages are ignored; an oversized message ends the connection.
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
