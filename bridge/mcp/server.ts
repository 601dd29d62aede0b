import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { NodeError } from '../../src/protocol/errors.ts';
import { writeJson } from '../../src/protocol/json.ts';
import { docOf } from '../../src/protocol/rpc/docs/docs.ts';
import { version } from '../../src/protocol/version.ts';
import { callTool, cardOf, tools } from '../../ui/mcp/tools/index.ts';
import { callableMethods, methodJson } from '../../ui/mcp/tools/rpc-tools.ts';
import type { JsonSchema } from '../../ui/mcp/tools/schema.ts';
import type { Context, Tool } from '../../ui/mcp/tools/tool.ts';

/** Passes arguments on unchecked: the tools check them, so that errors are the same as in the page. */
const toStandard = (schema: JsonSchema) => ({
  '~standard': {
    version: 1 as const,
    vendor: 'tabnode',
    validate: (value: unknown) => ({ value }),
    jsonSchema: { input: () => ({ ...schema }), output: () => ({ ...schema }) },
  },
});

const addTool = (server: McpServer, context: Context, one: Tool): void => {
  const { name, title, description, inputSchema, isReadOnly, isDestructive } = cardOf(context, one);
  const annotations = {
    title,
    readOnlyHint: isReadOnly,
    destructiveHint: isDestructive,
    openWorldHint: false,
  };
  server.registerTool(
    name,
    { title, description, inputSchema: toStandard(inputSchema), annotations },
    (args, { mcpReq }) => callTool(context, one, args, mcpReq.signal),
  );
};

const addResources = (server: McpServer): void => {
  const methods = callableMethods();
  const list = methods.map(([method]) => `${method}: ${docOf(method).doc}`).join('\n');
  server.registerResource(
    'rpc-methods',
    'tabnode://rpc',
    {
      title: 'JSON-RPC methods',
      description: 'Every method that rpc_call accepts, with a description.',
      mimeType: 'text/plain',
    },
    async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'text/plain', text: list }] }),
  );
  server.registerResource(
    'rpc-method',
    new ResourceTemplate('tabnode://rpc/{method}', { list: undefined }),
    {
      title: 'A JSON-RPC method',
      description: 'Docs, parameters and an example of one method.',
      mimeType: 'application/json',
    },
    async (uri, { method }) => {
      const found = methods.find(([name]) => name === method);
      if (found === undefined) throw new NodeError('Unsupported', `There is no method ${String(method)}`);
      return {
        contents: [{ uri: uri.href, mimeType: 'application/json', text: writeJson(methodJson(...found)) }],
      };
    },
  );
};

const instructions = (allowWrites: boolean): string =>
  `A Polkadot SDK (Substrate) node for development. Begin with chain_status; list_metadata finds pallets, calls and storage; dry_run_call explains why a call fails without changing anything. ${
    allowWrites
      ? 'Writes are allowed. Take a snapshot before experiments.'
      : 'This server is read-only. Tools that write are refused unless it is started with --allow-writes.'
  }`;

/** The tools of one node, for one client. */
export const createMcpServer = (context: Context): McpServer => {
  const server = new McpServer(
    { name: 'tabnode', title: 'Tabnode', version },
    { instructions: instructions(context.allowWrites) },
  );
  for (const one of tools) addTool(server, context, one);
  addResources(server);
  return server;
};
