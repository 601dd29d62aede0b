import { parseJson } from '../../../src/protocol/json.ts';
import { createFakeNode } from '../fake-parts.fixture.ts';
import { createRpcServer, type RpcServerOptions } from '../server.ts';
import type { ConnectionOptions } from './connection.ts';

export const connect = (
  options: Partial<ConnectionOptions> = {},
  more: Pick<RpcServerOptions, 'startPace' | 'custom'> = {},
) => {
  const fake = createFakeNode();
  let lastId = 0;
  const server = createRpcServer(fake.parts, {
    ...more,
    name: 'Judge Node',
    createId: () => `id${++lastId}`,
  });
  const sent: string[] = [];
  const lists: (readonly string[])[] = [];
  const settings: ConnectionOptions = {
    dialect: 'polkadot-sdk',
    denyUnsafe: false,
    transport: 'ws',
    ...options,
  };
  const connection = server.connect(
    (text) => sent.push(text),
    settings,
    (texts) => {
      lists.push(texts);
      sent.push(...texts);
    },
  );
  const ask = async (method: string, params: unknown = []) =>
    parseJson(
      (await connection.handle(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))) ?? 'null',
    ) as {
      result?: unknown;
      error?: { code: number; message: string; data?: string };
    };
  const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
  return { ...fake, server, connection, sent, lists, ask, settle };
};
