import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll } from 'vitest';

const program = fileURLToPath(new URL('./tabnode.ts', import.meta.url));

/** What a tool returned. */
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

/** A client of the library with its own `tabnode mcp`, started the way an agent's program does. */
export const startClient = async (...args: readonly string[]) => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program, 'mcp', ...args],
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    call: async (name: string, given: Record<string, unknown> = {}): Promise<Told> => {
      const { isError, content } = await client.callTool({ name, arguments: given });
      const [part] = content;
      const text = part?.type === 'text' ? part.text : '';
      return { isError: isError === true, text, json: parse(text) };
    },
  };
};

export type McpClient = Awaited<ReturnType<typeof startClient>>;

/** One client for the tests of a `describe`. */
export const client = (...args: readonly string[]): (() => McpClient) => {
  let started: McpClient;
  beforeAll(async () => {
    started = await startClient(...args);
  });
  afterAll(() => started.client.close());
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
