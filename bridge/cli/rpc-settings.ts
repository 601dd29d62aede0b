import { BlockList, isIP } from 'node:net';
import { NodeError } from '../../src/protocol/errors.ts';
import { maxBatch, maxSubscriptions } from '../../src/protocol/limits.ts';
import type { DenyUnsafe, Dialect, RpcLimits } from '../../src/protocol/node.ts';
import { type OptionTable, switches, texts } from './command.ts';

/**
 * Which origins may call: all, or those in the lists, where `*` stands for any port. Guests may only make
 * safe calls.
 */
export type Cors = 'all' | { readonly own: readonly string[]; readonly guests: readonly string[] };

/** Where a kind of request is accepted, and which calls are denied there. */
export type ListenAddress = {
  readonly host: '127.0.0.1' | '0.0.0.0';
  readonly port: number;
  readonly denyUnsafe: DenyUnsafe;
};

export type RpcSettings = {
  readonly ws: ListenAddress;
  readonly http: ListenAddress;
  readonly cors: Cors;
  readonly limits: Omit<RpcLimits, 'callsPerMinute'>;
  readonly rate: {
    readonly callsPerMinute: number | null;
    readonly exempt: BlockList;
    readonly trustProxy: boolean;
  };
  /** WebSockets and HTTP requests in progress, at both addresses together. */
  readonly maxConnections: number;
  /** Messages that may be queued for a WebSocket client before the node applies backpressure. */
  readonly messageBuffer: number;
};

/** The flags of PSP-6 §4.12 and their SDK equivalents. */
export const rpcOptions = {
  ...texts('any', 'ws-port', 'rpc-port'),
  ...switches('named', 'rpc-external', 'unsafe-rpc-external', 'ws-external', 'unsafe-ws-external'),
  ...switches('any', 'validator'),
  ...texts('named', 'rpc-methods', 'rpc-cors'),
  ...texts('any', 'rpc-max-request-size', 'rpc-max-response-size'),
  'rpc-module': { by: 'named', type: 'string', multiple: true },
  ...texts('any', 'rpc-max-subscriptions-per-connection', 'rpc-max-connections'),
  ...texts(
    'any',
    'rpc-message-buffer-capacity-per-connection',
    'rpc-max-batch-request-len',
    'rpc-rate-limit',
  ),
  ...switches('any', 'rpc-disable-batch-requests'),
  ...switches('named', 'rpc-rate-limit-trust-proxy-headers'),
  'rpc-rate-limit-whitelisted-ips': { by: 'named', type: 'string', multiple: true },
} as const satisfies OptionTable;

type Options = typeof rpcOptions;
type ValueOf<O> = O extends { multiple: true } ? string[] : O extends { type: 'boolean' } ? boolean : string;
export type RpcValues = { readonly [name in keyof Options]?: ValueOf<Options[name]> | undefined };

const bad = (message: string): NodeError => new NodeError('BadConfig', message);

const mebibyte = 1024 * 1024;
const defaultCors: Cors = {
  own: ['localhost', '127.0.0.1', '[::1]'].flatMap((host) => [`http://${host}:*`, `https://${host}:*`]),
  // Public explorers and wallets. A wallet's own pages (not those it is used on) have an extension origin.
  guests: [
    'https://polkadot.js.org',
    'https://dev.papi.how',
    'chrome-extension://*',
    'moz-extension://*',
    'safari-web-extension://*',
  ],
};

/** Parses an integer; throws `BadConfig` if it is out of range. */
const parseNumber = (flag: string, text: string | undefined, fallback: number, least: number): number => {
  if (text === undefined) return fallback;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= 0xffff_ffff))
    throw bad(`--${flag} ${text}: expected a number of at least ${least}`);
  return value;
};

export const parsePort = (flag: string, text: string): number => {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= 65535)) throw bad(`--${flag} ${text}: not a port`);
  return port;
};

/** `all` or `*`, `none`, or comma-separated origins. */
export const parseCors = (text: string | undefined): Cors => {
  if (text === undefined) return defaultCors;
  const origins = text.split(',').map((origin) => origin.trim().toLowerCase());
  if (origins.some((origin) => origin === 'all' || origin === '*')) return 'all';
  if (origins.length === 1 && origins[0] === 'none') return { own: [], guests: [] };
  const wrong = origins.find((origin) => !/^[a-z][a-z0-9+.-]*:\/\/[^/\s]+$/.test(origin));
  if (wrong !== undefined) throw bad(`--rpc-cors ${wrong}: not an origin, nor all or none`);
  return { own: origins, guests: [] };
};

const parseExempt = (values: readonly string[]): BlockList => {
  const list = new BlockList();
  for (const text of values.flatMap((value) => value.split(','))) {
    const [address = '', bits, ...rest] = text.trim().split('/');
    const version = isIP(address);
    const most = version === 6 ? 128 : 32;
    const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (version === 0 || rest.length > 0 || !(prefix <= most))
      throw bad(`--rpc-rate-limit-whitelisted-ips ${text}: not an address or network`);
    list.addSubnet(address, prefix, version === 6 ? 'ipv6' : 'ipv4');
  }
  return list;
};

const parseMethods = (text: string): 'auto' | 'safe' | 'unsafe' => {
  if (text === 'auto' || text === 'safe' || text === 'unsafe') return text;
  throw bad(`--rpc-methods ${text}: expected one of auto, safe, unsafe`);
};

/** As in the SDK, a validator does not expose its RPC interface unless the operator explicitly allows it. */
const refuseValidator = (flag: 'rpc' | 'ws'): never => {
  throw bad(
    `--${flag}-external option shouldn't be used if the node is running as a validator. ` +
      `Use \`--unsafe-${flag}-external\` or \`--rpc-methods=unsafe\` if you understand the risks. ` +
      'See the options description for more information.',
  );
};

/**
 * What an address denies: on all interfaces, what either dialect marks as unsafe; on loopback, what the
 * node's dialect marks.
 */
const toDenied = (
  methods: ReturnType<typeof parseMethods>,
  isExternal: boolean,
  dialect: Dialect,
): DenyUnsafe => {
  if (methods === 'unsafe') return false;
  if (isExternal) return true;
  return methods === 'safe' ? dialect : false;
};

const toListenAddress = (
  flag: 'rpc' | 'ws',
  values: RpcValues,
  fallbackPort: string,
  dialect: Dialect,
): ListenAddress => {
  const methods = parseMethods(values['rpc-methods'] ?? 'auto');
  const isForced = values[`unsafe-${flag}-external`] === true;
  const isExternal = isForced || values[`${flag}-external`] === true;
  if (isExternal && !isForced && values.validator === true && methods !== 'unsafe') refuseValidator(flag);
  return {
    host: isExternal ? '0.0.0.0' : '127.0.0.1',
    port: parsePort(`${flag}-port`, values[`${flag}-port`] ?? fallbackPort),
    denyUnsafe: toDenied(methods, isExternal, dialect),
  };
};

/** The settings of both addresses. Throws `BadConfig`. */
export const toRpcSettings = (values: RpcValues, dialect: Dialect): RpcSettings => {
  const number = (flag: keyof RpcValues & string, fallback: number, least = 0): number =>
    parseNumber(flag, values[flag] as string | undefined, fallback, least);
  const rate = values['rpc-rate-limit'];
  const batch = number('rpc-max-batch-request-len', maxBatch, 1);
  return {
    ws: toListenAddress('ws', values, '9944', dialect),
    http: toListenAddress('rpc', values, '9933', dialect),
    cors: parseCors(values['rpc-cors']),
    limits: {
      maxRequestBytes: number('rpc-max-request-size', 15, 1) * mebibyte,
      maxResponseBytes: number('rpc-max-response-size', 15, 1) * mebibyte,
      maxBatch: values['rpc-disable-batch-requests'] === true ? 0 : batch,
      maxSubscriptions: number('rpc-max-subscriptions-per-connection', maxSubscriptions),
    },
    rate: {
      callsPerMinute: rate === undefined ? null : number('rpc-rate-limit', 0, 1),
      exempt: parseExempt(values['rpc-rate-limit-whitelisted-ips'] ?? []),
      trustProxy: values['rpc-rate-limit-trust-proxy-headers'] === true,
    },
    maxConnections: number('rpc-max-connections', 100),
    messageBuffer: number('rpc-message-buffer-capacity-per-connection', 64, 1),
  };
};
