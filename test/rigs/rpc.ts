import { parseJson } from '../../src/protocol/json.ts';
import type { ConnectOptions } from '../../src/protocol/node.ts';
import type { Node } from '../../worker/node.ts';
import { createRpcServer } from '../../worker/rpc/server.ts';

export type RpcAnswer = {
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};

/**
 * Sends JSON-RPC texts to a node in the same process. `ask` returns the whole response, `call` its result or
 * throws.
 */
export const connectRpc = (node: Node, options: Partial<ConnectOptions> = {}) => {
  const connection = createRpcServer(node.parts).connect(() => undefined, {
    dialect: 'polkadot-sdk',
    denyUnsafe: false,
    transport: 'ws',
    ...options,
  });
  const ask = async (method: string, ...params: unknown[]): Promise<RpcAnswer> => {
    const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { result, error } = parseJson((await connection.handle(request)) ?? 'null') as RpcAnswer;
    return error === undefined ? { result } : { error };
  };
  const call = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const { result, error } = await ask(method, ...params);
    if (error !== undefined) throw new Error(`${method}: ${error.code} ${error.message}`);
    return result as T;
  };
  return { ask, call };
};
