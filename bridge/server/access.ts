import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { stricter } from '../../src/protocol/deny-unsafe.ts';
import type { DenyUnsafe, Dialect } from '../../src/protocol/node.ts';
import { parseDialect } from '../cli/arguments.ts';
import type { Cors, RpcSettings } from '../cli/rpc-settings.ts';

/**
 * The trust level of a page: `own` may call whatever its address allows, `guest` only safe methods, `foreign`
 * nothing.
 */
export type Page = 'own' | 'guest' | 'foreign';

const portOrNone = /^(:\d{1,5})?$/;

/** A trailing `:*` matches any port or none; `//*` matches every page of a scheme. */
const matches = (pattern: string, origin: string): boolean => {
  if (pattern.endsWith('://*')) return origin.startsWith(pattern.slice(0, -1));
  if (!pattern.endsWith(':*')) return pattern === origin;
  const start = pattern.slice(0, -2);
  return origin.startsWith(start) && portOrNone.test(origin.slice(start.length));
};

/** Programs send no Origin header and count as the operator's own. */
export const pageOf = (origin: string | undefined, cors: Cors): Page => {
  if (origin === undefined || cors === 'all') return 'own';
  const isIn = (list: readonly string[]): boolean =>
    list.some((pattern) => matches(pattern, origin.toLowerCase()));
  if (isIn(cors.own)) return 'own';
  return isIn(cors.guests) ? 'guest' : 'foreign';
};

/**
 * What a request may not call. It depends on the address, the kind of request, and the page that sends it.
 * Guests use clients made for the SDK, which could not list a map without `state_getKeysPaged`, so the SDK's
 * marking applies to them.
 */
export const deniedTo = (
  page: Exclude<Page, 'foreign'>,
  listener: { readonly denyUnsafe: DenyUnsafe },
  kind: { readonly denyUnsafe: DenyUnsafe },
): DenyUnsafe =>
  stricter(stricter(listener.denyUnsafe, kind.denyUnsafe), page === 'guest' ? 'polkadot-sdk' : false);

/** The message for a refused page, shown in the network panel of the browser. */
export const originRefusal = (origin: string): string =>
  `Pages of ${origin.slice(0, 200)} may not call this node. Start it with --rpc-cors all to let every page call, or name the page's origin with --rpc-cors.\n`;

const localHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?$/i;
const maxPort = 65_535;

/** The SDK's text for a Host other than this machine, for example from a page that uses DNS rebinding. */
export const hostRefusal = 'Provided Host header is not whitelisted.\n';

/** Allows only names of this machine, unless any origin may call. */
export const isAllowedHost = (host: string | undefined, cors: Cors): boolean => {
  if (cors === 'all') return true;
  const match = localHost.exec(host ?? '');
  return match !== null && Number(match[1] ?? 0) <= maxPort;
};

/** A response that refuses the request. */
export type Refusal = { readonly status: 400 | 403 | 404 | 429 | 503; readonly text: string };

/** The trust level of the page that sends the request, or why it is refused. */
export const admitPage = (
  { headers, headersDistinct }: Pick<IncomingMessage, 'headers' | 'headersDistinct'>,
  cors: Cors,
): Exclude<Page, 'foreign'> | Refusal => {
  if ((headersDistinct['host']?.length ?? 0) > 1)
    return { status: 400, text: 'The request has more than one Host header.\n' };
  if (!isAllowedHost(headers.host, cors)) return { status: 403, text: hostRefusal };
  const page = pageOf(headers.origin, cors);
  return page === 'foreign' ? { status: 403, text: originRefusal(headers.origin ?? '') } : page;
};

/** Path and query of a request. The target may be arbitrary bytes, even an invalid URL; never throws. */
export const targetOf = ({ url = '/' }: { readonly url?: string | undefined }) => {
  const [path = '', query = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split(/\?(.*)/s, 2);
  return { path: path === '' ? '/' : path, query: new URLSearchParams(query) };
};

/** The dialect requested by `?dialect=`, the node's by default, or a refusal if it is unknown. */
export const requestDialect = (request: IncomingMessage, fallback: Dialect): Dialect | Refusal => {
  const requested = targetOf(request).query.get('dialect');
  if (requested === null) return fallback;
  try {
    return parseDialect(requested);
  } catch (error) {
    return { status: 400, text: `${error instanceof Error ? error.message : error}\n` };
  }
};

const firstOf = (header: string | readonly string[] | undefined): string =>
  (typeof header === 'string' ? header : (header?.[0] ?? '')).split(',')[0]?.trim() ?? '';

/**
 * The client's address: the remote end of the socket or, behind a trusted proxy, the address the proxy
 * reports.
 */
const clientAddress = ({ headers, socket }: IncomingMessage, trustProxy: boolean): string => {
  const forwarded = /for="?\[?([0-9a-f.:]+?)\]?(?::\d+)?"?(?:[;,]|$)/i.exec(firstOf(headers.forwarded))?.[1];
  const named = [forwarded ?? '', firstOf(headers['x-forwarded-for']), firstOf(headers['x-real-ip'])];
  const found = trustProxy ? named.find((address) => isIP(address) > 0) : undefined;
  return (found ?? socket.remoteAddress ?? '').replace(/^::ffff:/i, '');
};

/** The number of calls per minute that this client may make; null for no limit. */
export const rateOf = (
  request: IncomingMessage,
  { callsPerMinute, exempt, trustProxy }: RpcSettings['rate'],
): number | null => {
  if (callsPerMinute === null) return null;
  const address = clientAddress(request, trustProxy);
  const version = isIP(address);
  return version > 0 && exempt.check(address, version === 6 ? 'ipv6' : 'ipv4') ? null : callsPerMinute;
};

/**
 * A request up to this size is read and refused with an error, as in the SDK; a larger one closes the
 * connection.
 */
export const hardLimitOf = (maxRequestBytes: number): number => Math.max(4 * maxRequestBytes, 1024 * 1024);

/** Whether the remote end of a socket is this machine. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address);

/** The response to a request over the size limit; `id` as JSON. */
export const tooBigText = (maxRequestBytes: number, id = 'null'): string => {
  const data = `Exceeded max limit of ${maxRequestBytes}`;
  return `{"jsonrpc":"2.0","id":${id},"error":{"code":-32007,"message":"Request is too big","data":"${data}"}}`;
};

/** The SDK's text. */
export const tooMany: Refusal = { status: 429, text: 'Too many connections. Please try again later.' };

/** Counts connections. `enter` returns a release function, or null at the limit. */
export type Admission = { enter(): (() => void) | null };

export const createAdmission = (maxConnections: number): Admission => {
  let inside = 0;
  return {
    enter: () => {
      if (inside >= maxConnections) return null;
      inside += 1;
      let isInside = true;
      return () => {
        if (isInside) inside -= 1;
        isInside = false;
      };
    },
  };
};

const statusLines = {
  400: '400 Bad Request',
  403: '403 Forbidden',
  404: '404 Not Found',
  429: '429 Too Many Requests',
  503: '503 Service Unavailable',
} as const;

/** Responds to an upgrade request with a refusal. */
export const refuseUpgrade = (stream: Duplex, { status, text }: Refusal): void => {
  const length = new TextEncoder().encode(text).length;
  // Closes without waiting for the client.
  stream.once('finish', () => stream.destroy());
  stream.end(
    `HTTP/1.1 ${statusLines[status]}\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\n\r\n${text}`,
  );
};
