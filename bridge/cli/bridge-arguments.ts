import type { Dialect } from '../../src/protocol/node.ts';
import { bad, parseDialect, read } from './arguments.ts';
import type { OptionTable } from './command.ts';
import { parsePort, type RpcSettings, rpcOptions, toRpcSettings } from './rpc-settings.ts';

export type BridgeArguments = {
  readonly dialect: Dialect;
  readonly rpc: RpcSettings;
  /** URL of devtools served elsewhere; null: this command serves them at `pagePort`. */
  readonly page: string | null;
  readonly pagePort: number;
  readonly open: boolean;
  readonly acceptFirst: boolean;
  /** Where the key for the tokens is stored; undefined: the user's data folder. */
  readonly basePath: string | undefined;
  readonly json: boolean;
};

export const bridgeOptions = {
  ...rpcOptions,
  dialect: { by: 'any', type: 'string' },
  page: { by: 'named', type: 'string' },
  'page-port': { by: 'any', type: 'string' },
  open: { by: 'any', type: 'boolean' },
  'accept-first': { by: 'named', type: 'boolean' },
  'base-path': { by: 'any', type: 'string', short: 'd' },
  json: { by: 'any', type: 'boolean' },
} as const satisfies OptionTable;

/**
 * The same port as `npm start` in the repository. Browsers store chains per origin, so the port must not
 * change.
 */
const defaultPagePort = '5199';

/** Parses the URL of devtools served elsewhere, and removes its fragment. */
export const parsePage = (text: string): string => {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url.href.split('#')[0] as string;
  throw bad(`--page ${text}: expected the address of the devtools, such as http://127.0.0.1:5199/`);
};

export const parseBridgeArguments = (args: readonly string[]): BridgeArguments => {
  const { values } = read(args, bridgeOptions, false);
  if ((values['rpc-module']?.length ?? 0) > 0)
    throw bad('--rpc-module: a bridge runs no node of its own; its pages add their methods themselves');
  if (values.page !== undefined && values['page-port'] !== undefined)
    throw bad('--page and --page-port cannot be combined: the page is served elsewhere, or here');
  const dialect = parseDialect(values.dialect ?? 'psp-6');
  return {
    dialect,
    rpc: toRpcSettings(values, dialect),
    page: values.page === undefined ? null : parsePage(values.page),
    pagePort: parsePort('page-port', values['page-port'] ?? defaultPagePort),
    open: values.open === true,
    acceptFirst: values['accept-first'] === true,
    basePath: values['base-path'],
    json: values.json === true,
  };
};
