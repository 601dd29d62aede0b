import type { Dialect } from '../../src/protocol/node.ts';
import { bad, parseDialect, read } from './arguments.ts';
import type { OptionTable } from './command.ts';
import { type RpcSettings, rpcOptions, toRpcSettings } from './rpc-settings.ts';

export type ProxyArguments = {
  /** Path of the allow-list. */
  readonly allow: string;
  /** URL of the node behind the proxy. */
  readonly to: string;
  readonly dialect: Dialect;
  readonly rpc: RpcSettings;
  readonly json: boolean;
};

const {
  'rpc-module': _module,
  'rpc-methods': _methods,
  validator: _validator,
  'unsafe-rpc-external': _unsafeRpc,
  'unsafe-ws-external': _unsafeWs,
  ...doorOptions
} = rpcOptions;

/** The flags of `serve` for its addresses and limits. Which methods are safe is decided by the allow-list. */
export const proxyOptions = {
  allow: { by: 'named', type: 'string' },
  to: { by: 'any', type: 'string' },
  dialect: { by: 'any', type: 'string' },
  ...doorOptions,
  json: { by: 'any', type: 'boolean' },
} as const satisfies OptionTable;

const parseTo = (text: string): string => {
  const url = URL.parse(text);
  if (url?.protocol === 'ws:' || url?.protocol === 'wss:') return url.href;
  throw bad(`--to ${text}: expected the WebSocket address of a node, such as ws://127.0.0.1:9944`);
};

export const parseProxyArguments = (args: readonly string[]): ProxyArguments => {
  const { values } = read(args, proxyOptions, false);
  const { allow, to } = values;
  if (allow === undefined || to === undefined)
    throw bad(
      'proxy needs --allow FILE, with the methods that may be called, and --to, the address of a node',
    );
  const dialect = parseDialect(values.dialect ?? 'polkadot-sdk');
  // Different from a node's default ports, because the node is probably on this machine too.
  const ports = { 'ws-port': values['ws-port'] ?? '9945', 'rpc-port': values['rpc-port'] ?? '9934' };
  return {
    allow,
    to: parseTo(to),
    dialect,
    rpc: toRpcSettings({ ...values, ...ports, 'rpc-methods': 'unsafe' }, dialect),
    json: values.json === true,
  };
};
