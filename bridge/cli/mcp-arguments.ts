import {
  authoringOptions,
  bad,
  type ChainArguments,
  chainOptions,
  parseClock,
  parseSeal,
  read,
  type ServeArguments,
  toChainArguments,
  toKeys,
} from './arguments.ts';
import type { OptionTable } from './command.ts';
import { type Cors, parseCors, parsePort } from './rpc-settings.ts';

/** The address where clients reach the tools over HTTP. */
export type McpHttpArguments = {
  readonly host: '127.0.0.1' | '0.0.0.0';
  readonly port: number;
  readonly cors: Cors;
};

export type McpArguments = {
  /** Null: one client on stdin and stdout. */
  readonly http: McpHttpArguments | null;
  /** Whether clients over HTTP need a token. */
  readonly needsToken: boolean;
  /** URL of a running node; null: start one. */
  readonly url: string | null;
  readonly allowWrites: boolean;
  /** File of a JSON account that agents may sign with, and of its password; null: none. */
  readonly account: { readonly file: string; readonly passwordFile: string } | null;
  readonly node: ChainArguments & Pick<ServeArguments, 'keys' | 'seal' | 'clock'>;
};

export const mcpOptions = {
  ...chainOptions,
  ...authoringOptions,
  url: { by: 'any', type: 'string' },
  'allow-writes': { by: 'named', type: 'boolean' },
  account: { by: 'named', type: 'string' },
  'account-password-filename': { by: 'named', type: 'string' },
  http: { by: 'any', type: 'string' },
  'no-token': { by: 'named', type: 'boolean' },
  'rpc-cors': { by: 'named', type: 'string' },
  'rpc-external': { by: 'named', type: 'boolean' },
} as const satisfies OptionTable;

const parseUrl = (text: string): string => {
  const url = URL.parse(text);
  if (url?.protocol === 'ws:' || url?.protocol === 'wss:') return url.href;
  throw bad(`--url ${text}: expected the WebSocket address of a node, such as ws://127.0.0.1:9944`);
};

const defaultPort = '9950';

/** Adds the default port of `--http`, because the parser of Node.js has no optional values. */
const withPort = (args: readonly string[]): readonly string[] =>
  args.flatMap((arg, index) => {
    const next = args[index + 1];
    return arg === '--http' && (next === undefined || next.startsWith('-')) ? [arg, defaultPort] : [arg];
  });

type HttpValues = {
  readonly http?: string | undefined;
  readonly 'no-token'?: boolean | undefined;
  readonly 'rpc-cors'?: string | undefined;
  readonly 'rpc-external'?: boolean | undefined;
};

/** The guest origins of `serve`, such as public explorers, may not use MCP. */
const toHttp = (values: HttpValues): McpHttpArguments | null => {
  const { http } = values;
  if (http === undefined) {
    const other = (['no-token', 'rpc-cors', 'rpc-external'] as const).find(
      (flag) => values[flag] !== undefined,
    );
    if (other === undefined) return null;
    throw bad(`--${other} requires --http`);
  }
  const cors = parseCors(values['rpc-cors']);
  const isExternal = values['rpc-external'] === true;
  if (values['no-token'] === true && isExternal)
    throw bad('--no-token and --rpc-external cannot be combined: anybody on the network could call');
  if (values['no-token'] === true && cors === 'all')
    throw bad('--no-token and --rpc-cors all cannot be combined: every web page could call');
  return {
    host: isExternal ? '0.0.0.0' : '127.0.0.1',
    port: parsePort('http', http),
    cors: cors === 'all' ? cors : { own: cors.own, guests: [] },
  };
};

/** An account signs, so it needs write access; its password is not an argument, which others on this machine can read. */
const toAccount = (
  file: string | undefined,
  passwordFile: string | undefined,
  allowWrites: boolean,
): McpArguments['account'] => {
  if (file === undefined && passwordFile === undefined) return null;
  if (!allowWrites) throw bad('--account requires --allow-writes');
  if (file === undefined || passwordFile === undefined)
    throw bad('--account and --account-password-filename go together');
  return { file, passwordFile };
};

/** Without write access, the node does not seal blocks on its own either. */
export const parseMcpArguments = (args: readonly string[]): McpArguments => {
  const { values } = read(withPort(args), mcpOptions, false);
  const {
    url,
    'allow-writes': allowWrites = false,
    json: _,
    http: _http,
    'no-token': noToken = false,
    'rpc-cors': _cors,
    'rpc-external': _external,
    account,
    'account-password-filename': passwordFile,
    ...own
  } = values;
  const [other] = Object.keys(own);
  if (url !== undefined && other !== undefined)
    throw bad(`--url connects to a running node, and --${other} configures a new one: leave out one of them`);
  return {
    http: toHttp(values),
    needsToken: !noToken,
    url: url === undefined ? null : parseUrl(url),
    allowWrites,
    account: toAccount(account, passwordFile, allowWrites),
    node: {
      ...toChainArguments(values),
      keys: toKeys(values),
      seal: parseSeal(values.seal ?? (allowWrites ? 'instant' : 'manual')),
      clock: parseClock(values.clock ?? 'chain'),
    },
  };
};
