import type { McpServer } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { NodeError } from '../../src/protocol/errors.ts';
import { writeJson } from '../../src/protocol/json.ts';
import { createMetaLoader } from '../../src/scale/load.ts';
import { createTurns } from '../../ui/agents/tools/index.ts';
import type { AgentAccount, Context, Permission } from '../../ui/agents/tools/tool.ts';
import type { McpArguments, McpHttpArguments } from '../cli/mcp-arguments.ts';
import type { Output } from '../cli/terminal.ts';
import { openMcpListener, readToken, type Token } from './http.ts';
import { type NodeAccess, reachNode, startOwnNode } from './node-access.ts';
import { createMcpServer } from './server.ts';

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

const permission: Permission = {
  name: '--allow-writes',
  refusal: 'this server was started without --allow-writes',
};

const createContext = (
  access: NodeAccess,
  allowWrites: boolean,
  accounts: readonly AgentAccount[],
): Context => {
  const request: Context['request'] = async (method, params, options) =>
    (await access.connect()).request(method, params, options);
  return {
    allowWrites,
    accounts,
    permission,
    request,
    inTurn: createTurns(),
    connect: access.connect,
    meta: createMetaLoader({ request }),
  };
};

/**
 * Includes the command that adds the server to Claude Code. docs/mcp.md has the configuration files of other
 * clients.
 */
const readyText = (url: string, { value, isGiven }: Token, allowWrites: boolean): string => {
  const shown = isGiven ? '$TABNODE_MCP_TOKEN' : value;
  const header = value === null ? '' : ` --header "Authorization: Bearer ${shown}"`;
  return `MCP server  ${url}
  token     ${value === null ? 'none needed (--no-token): every program on this machine may call' : shown}
  tools     ${allowWrites ? 'read and write' : 'read only; --allow-writes lets clients change the chain'}
  to add it claude mcp add --transport http tabnode ${url}${header}
Ready; stop with Ctrl+C.`;
};

/** Serves clients over HTTP until a signal arrives or the node ends. */
const serveHttp = async (
  access: NodeAccess,
  context: Context,
  { settings, needsToken, json }: { settings: McpHttpArguments; needsToken: boolean; json: boolean },
  output: Output,
): Promise<void> => {
  const token = readToken(needsToken);
  const ended = new Promise<void>((resolve, reject) => {
    access.onDeath(reject);
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  ended.catch(() => undefined);
  const listener = await openMcpListener(() => createMcpServer(context), settings, token.value);
  try {
    const printed = token.isGiven ? {} : { token: token.value };
    const ready = { event: 'ready', url: listener.url, ...printed, allowsWrites: context.allowWrites };
    output.line(json ? writeJson(ready) : readyText(listener.url, token, context.allowWrites));
    await ended;
  } finally {
    await listener.close();
  }
};

/** Runs the node and the server of `tabnode mcp`. */
export const runMcp = async (
  { url, node, allowWrites, account, http, needsToken }: McpArguments,
  output: Output,
): Promise<void> => {
  const accounts = account === null ? [] : await (await import('./account.ts')).openAgentAccounts(account);
  const access = url === null ? await startOwnNode(node) : reachNode(url);
  const context = createContext(access, allowWrites, accounts);
  try {
    if (http === null) await serveClient(access, () => createMcpServer(context));
    else await serveHttp(access, context, { settings: http, needsToken, json: node.json }, output);
  } finally {
    await access.stop();
  }
};
