import {
  type CustomAnswer,
  type CustomCall,
  type CustomHandler,
  customError,
  readCustomMethod,
} from '../../src/protocol/custom.ts';
import { NodeError } from '../../src/protocol/errors.ts';
import type { CustomInfo, Dialect, NodeConfig } from '../../src/protocol/node.ts';
import type { RpcTable } from '../../src/protocol/rpc/define.ts';
import { createRoutes, rpcTable } from '../../src/protocol/rpc/index.ts';
import { RpcError } from './errors.ts';
import type { CallContext } from './handlers.ts';

export type Custom = CustomInfo & { readonly call: CustomHandler };
export type CustomTable = ReadonlyMap<string, Custom>;

/** Time limit for a method of the embedding program. After it, the caller gets an error. */
const patienceMs = 60_000;

/** The handler's result, or an error if it takes too long. */
export const callCustom = async (
  { name, call }: Custom,
  params: unknown,
  { denyUnsafe, dialect }: Pick<CallContext, 'denyUnsafe'> & { readonly dialect: Dialect },
  waitMs: number = patienceMs,
): Promise<unknown> => {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject({ message: `${name} took longer than ${waitMs} ms` }), waitMs);
  try {
    return await Promise.race([call(params, { denyUnsafe: denyUnsafe !== false, dialect }), late.promise]);
  } catch (error) {
    const { code, message, data } = customError(error);
    throw new RpcError(code, message, data);
  } finally {
    clearTimeout(timer);
  }
};

/** The methods whose handlers run at the other end of a port. */
const openPage = ({ port, methods }: NonNullable<NodeConfig['rpcPage']>): Custom[] => {
  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  port.onmessage = ({ data }: { data: CustomAnswer }): void => {
    const waiting = pending.get(data.id);
    if ('error' in data) waiting?.reject(data.error);
    else waiting?.resolve(data.result);
  };
  return methods.map((info) => ({
    ...info,
    call: (params, context) => {
      const waiting = Promise.withResolvers<unknown>();
      lastId += 1;
      const id = lastId;
      pending.set(id, waiting);
      // Entries without a response must not accumulate: their callers have already received an error.
      const forget = setTimeout(() => pending.delete(id), patienceMs);
      port.postMessage({ id, method: info.name, params, context } satisfies CustomCall);
      return waiting.promise.finally(() => {
        clearTimeout(forget);
        pending.delete(id);
      });
    },
  }));
};

const importModule = async (url: string): Promise<Custom[]> => {
  let loaded: { readonly rpcMethods?: unknown };
  try {
    loaded = await import(/* @vite-ignore */ url);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new NodeError('BadConfig', `The module ${url} could not be imported: ${why}`, { cause });
  }
  const { rpcMethods } = loaded;
  if (typeof rpcMethods !== 'object' || rpcMethods === null)
    throw new NodeError('BadConfig', `The module ${url} does not export rpcMethods`);
  return Object.entries(rpcMethods).map(([name, method]) => readCustomMethod(name, method));
};

/** The embedding program's methods, from its modules and its page. Throws `BadConfig` if a name is taken. */
export const openCustomMethods = async (
  config: Pick<NodeConfig, 'rpcModules' | 'rpcPage'>,
): Promise<CustomTable> => {
  const table = new Map<string, Custom>();
  const builtIn = createRoutes(rpcTable as RpcTable);
  const add = (method: Custom): void => {
    const { name } = method;
    if (builtIn.has(name))
      throw new NodeError(
        'BadConfig',
        `The JSON-RPC method ${name} is the node's own and cannot be replaced`,
      );
    if (table.has(name)) throw new NodeError('BadConfig', `The JSON-RPC method ${name} is registered twice`);
    table.set(name, method);
  };
  for (const url of config.rpcModules ?? []) for (const method of await importModule(url)) add(method);
  if (config.rpcPage !== undefined) for (const method of openPage(config.rpcPage)) add(method);
  return table;
};

/** The OpenRPC document including the embedding program's methods. */
export const describeCustom = (
  text: string,
  custom: CustomTable,
): { openrpc: string; methods: { name: string }[] } => {
  const document = JSON.parse(text) as { openrpc: string; methods: { name: string }[] };
  const own = [...custom.values()].map(({ name, doc, safety }) => ({
    name,
    description: doc,
    params: [{ name: 'params', schema: {} }],
    result: { name: 'result', schema: {} },
    'x-safety': { 'psp-6': safety, 'polkadot-sdk': safety },
  }));
  return { ...document, methods: [...document.methods, ...own] };
};
