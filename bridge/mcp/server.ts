import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { JsonRpcError } from '../../src/json-rpc-error.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import { writeJson } from '../../src/protocol/json.ts';
import { version } from '../../src/protocol/version.ts';
import { DecodeFault } from '../../ui/meta/cursor.ts';
import { EncodeFault } from '../../ui/meta/encode.ts';
import { callTools } from './call-tools.ts';
import { chainTools } from './chain-tools.ts';
import { controlTools } from './control-tools.ts';
import { metadataTools } from './metadata-tools.ts';
import { callableMethods, methodJson, rpcTools } from './rpc-tools.ts';
import { storageTools } from './storage-tools.ts';
import { type Context, refuseWrite, type Tool } from './tool.ts';

const tools: readonly Tool[] = [
  ...chainTools,
  ...metadataTools,
  ...storageTools,
  ...callTools,
  ...controlTools,
  ...rpcTools,
];

/** A response beyond this is refused, because an agent has to read all of it. */
const mostCharacters = 60_000;

const writeAnswer = (answer: unknown): string => {
  const text = writeJson(answer);
  if (text.length <= mostCharacters) return text;
  throw new NodeError(
    'LimitReached',
    `The result has ${text.length} characters, more than ${mostCharacters}: request less with "limit", "search" or a single entry`,
  );
};

/** Code and message of an error; a number is a JSON-RPC code. */
const errorJson = (error: unknown): object => {
  if (error instanceof NodeError) return { code: error.code, message: error.message };
  if (error instanceof JsonRpcError) {
    const { code, message, data } = error;
    return { code, message, ...(data === undefined ? {} : { data: writeJson(data).slice(0, 2000) }) };
  }
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof EncodeFault) return { code: 'BadValue', message };
  return { code: error instanceof DecodeFault ? 'BadScale' : 'Internal', message };
};

const addTool = (server: McpServer, context: Context, one: Tool): void => {
  const isOpen = !one.writes || context.allowWrites;
  const description = isOpen ? one.description : `Refused here: needs --allow-writes. ${one.description}`;
  const annotations = {
    title: one.title,
    readOnlyHint: !one.writes && one.name !== 'rpc_call',
    destructiveHint: one.destroys || one.name === 'rpc_call',
    openWorldHint: false,
  };
  server.registerTool(
    one.name,
    { title: one.title, description, inputSchema: one.input, annotations },
    async (args, { mcpReq }) => {
      try {
        if (!isOpen) throw refuseWrite(one.name);
        const text = writeAnswer(await one.run(context, args, mcpReq.signal));
        return { content: [{ type: 'text', text }] };
      } catch (error) {
        return { isError: true, content: [{ type: 'text', text: writeJson({ error: errorJson(error) }) }] };
      }
    },
  );
};

const addResources = (server: McpServer): void => {
  const methods = callableMethods();
  const list = methods.map(([method, { doc }]) => `${method}: ${doc}`).join('\n');
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

/** The tools over one node, for one client. */
export const createMcpServer = (context: Context): McpServer => {
  const server = new McpServer(
    { name: 'tabnode', title: 'Tabnode', version },
    { instructions: instructions(context.allowWrites) },
  );
  for (const one of tools) addTool(server, context, one);
  addResources(server);
  return server;
};
