import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect } from 'vitest';
import { startProcess } from '../clients/test-process.fixture.ts';

const program = fileURLToPath(new URL('../tabnode.ts', import.meta.url));

/** The result of a tool call. */
export type Told = {
  readonly isError: boolean;
  readonly text: string;
  readonly json: Record<string, unknown>;
};

const parse = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
};

/** The transport and protocol revision that the client uses. */
export type Way = 'stdio' | 'HTTP, 2025 revisions' | 'HTTP, 2026-07-28';

const toClient = async (transport: Transport, mode: 'legacy' | 'auto' = 'legacy') => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return {
    client,
    close: () => client.close(),
    call: async (name: string, given: Record<string, unknown> = {}): Promise<Told> => {
      const { isError, content } = await client.callTool({ name, arguments: given });
      const [part] = content;
      const text = part?.type === 'text' ? part.text : '';
      return { isError: isError === true, text, json: parse(text) };
    },
  };
};

export type McpClient = Awaited<ReturnType<typeof toClient>>;

/** A client of the library with its own `tabnode mcp`, started the way an agent's program does. */
export const startClient = (...args: readonly string[]): Promise<McpClient> =>
  toClient(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp', ...args],
      stderr: 'pipe',
    }),
  );

/** The line of `tabnode mcp --http --json` once it is ready. */
export type McpReady = {
  readonly event: 'ready';
  readonly url: string;
  readonly token?: string | null;
  readonly allowsWrites: boolean;
};

/** `tabnode mcp --http` on a free port. */
export const startHttp = async (...args: readonly string[]) => {
  const server = startProcess('mcp', '--http', '0', '--json', ...args);
  return { ...server, ready: JSON.parse(await server.firstLine) as McpReady };
};

/** The same tools over HTTP. The server must exit cleanly. */
const startHttpClient = async (mode: 'legacy' | 'auto', args: readonly string[]): Promise<McpClient> => {
  const { ready, kill, ended } = await startHttp(...args);
  const headers = { authorization: `Bearer ${ready.token}` };
  const transport = new StreamableHTTPClientTransport(new URL(ready.url), { requestInit: { headers } });
  const own = await toClient(transport, mode);
  return {
    ...own,
    close: async () => {
      await own.close();
      kill('SIGTERM');
      expect(await ended).toMatchObject({ code: 0, stderr: '' });
    },
  };
};

/** One client for the tests of a `describe`. */
export const client = (way: Way, ...args: readonly string[]): (() => McpClient) => {
  let started: McpClient;
  beforeAll(async () => {
    if (way === 'stdio') started = await startClient(...args);
    else started = await startHttpClient(way === 'HTTP, 2026-07-28' ? 'auto' : 'legacy', args);
  });
  afterAll(() => started.close());
  return () => started;
};

export const bob = '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty';
export const unit = '1000000000000';
export const transfer = {
  pallet: 'Balances',
  call: 'transfer_keep_alive',
  args: { dest: 'Bob', value: unit },
};
export const notSudo = {
  pallet: 'Sudo',
  call: 'sudo',
  args: { call: { System: { remark: { remark: '0x' } } } },
};
export const notSudoOutcome = {
  kind: 'failed',
  error: { pallet: 'Sudo', name: 'RequireSudo', docs: 'Sender must be the Sudo account.' },
};
export const account = (name: string) => ({ pallet: 'System', entry: 'Account', keys: [name] });
