import { access, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { NodeConfig } from '../src/protocol/node.ts';
import { createTestPlatform, testConfig } from '../test/rigs/platform.ts';
import type { BlockHash } from '../worker/codec/identity.ts';
import type { Database } from '../worker/db/database.ts';
import { createNode, type Node } from '../worker/node.ts';
import { createRpcServer } from '../worker/rpc/server.ts';

/** Other nodes refuse blocks from the future. */
const past = { startMs: Date.UTC(2025, 0, 1) };

/** A node in this thread; an error it reports makes the bench fail. */
export const openNode = async (
  chain: NodeConfig['chain'] = 'development',
  options: { readonly db?: Database; readonly config?: Partial<NodeConfig> } = {},
): Promise<Node> => {
  const platform = createTestPlatform(options.db === undefined ? {} : { db: options.db });
  const strict = {
    ...platform,
    onError: (error: unknown) => {
      throw error;
    },
  };
  return createNode(strict, testConfig(chain, { clock: past, ...options.config }));
};

export const seal = async (node: Node): Promise<{ hash: BlockHash; number: number; included: number }> => {
  const result = await node.parts.author.seal({ createEmpty: true, finalize: false });
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result;
};

/** Seals until all of the pool's transactions are included. */
export const sealAll = async (node: Node): Promise<{ blocks: { hash: BlockHash; included: number }[] }> => {
  const blocks = [];
  while (node.parts.pool.readyCount() > 0) blocks.push(await seal(node));
  return { blocks: blocks.filter(({ included }) => included > 0) };
};

export type TextClient = {
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Resolves with the next notification's text. */
  nextNotification(): Promise<string>;
  close(): void;
};

/** JSON-RPC as text, in this thread, without a port. */
export const openClient = (node: Node): TextClient => {
  const server = createRpcServer(node.parts);
  const answers = new Map<number, (message: { result?: unknown; error?: unknown }) => void>();
  let waiting: ((text: string) => void)[] = [];
  let nextId = 1;
  const receive = (text: string): void => {
    if (text.includes('"method"')) {
      const woken = waiting;
      waiting = [];
      for (const wake of woken) wake(text);
      return;
    }
    const message = JSON.parse(text) as { id: number; result?: unknown; error?: unknown };
    answers.get(message.id)?.(message);
    answers.delete(message.id);
  };
  const connection = server.connect(receive, {
    dialect: 'polkadot-sdk',
    denyUnsafe: false,
    transport: 'port',
  });
  return {
    request: async (method, params) => {
      const id = nextId++;
      const message = await new Promise<{ result?: unknown; error?: unknown }>((resolve) => {
        answers.set(id, resolve);
        connection.receive(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      });
      if (message.error !== undefined) throw new Error(`${method}: ${JSON.stringify(message.error)}`);
      return message.result;
    },
    nextNotification: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => server.close(),
  };
};

const fixtures = new URL('../../shared/fixtures/', import.meta.url);

/** Text of a shared fixture, or null if the folder is missing. */
export const loadFixture = async (name: string): Promise<string | null> => {
  const path = fileURLToPath(new URL(name, fixtures));
  try {
    await access(path);
  } catch {
    return null;
  }
  return readFile(path, 'utf8');
};
