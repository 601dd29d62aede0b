import type { IncomingMessage } from 'node:http';
import type { Dialect } from '../src/protocol/node.ts';
import { parseDialect } from './arguments.ts';

const localHost = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const allowedOrigin =
  /^(https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?|https:\/\/polkadot\.js\.org)$/i;

/** The SDK's text for a Host that is not of this machine: what a page gets that re-bound its name to 127.0.0.1. */
export const hostRefusal = 'Provided Host header is not whitelisted.\n';

export const isAllowedHost = (host: string | undefined): boolean =>
  host !== undefined && localHost.test(host);

/** Programs send no Origin; pages of this machine and polkadot.js.org may connect (RPC.md §4.6, --rpc-cors). */
export const isAllowedOrigin = (origin: string | undefined): boolean =>
  origin === undefined || allowedOrigin.test(origin);

/** The dialect that `?dialect=` asks for, or the node's. Throws `BadConfig` for an unknown one. */
export const requestDialect = (request: IncomingMessage, fallback: Dialect): Dialect => {
  const asked = new URL(request.url ?? '/', 'http://localhost').searchParams.get('dialect');
  return asked === null ? fallback : parseDialect(asked);
};

export const maxBodyBytes: number = 15 * 1024 * 1024;
/** A request up to here is read and refused with an error, as the SDK does; a larger one ends the connection. */
export const hardLimitBytes: number = 4 * maxBodyBytes;

/** The answer to a request above the limit (RPC.md §4.1). */
export const tooBigText: string = JSON.stringify({
  jsonrpc: '2.0',
  id: null,
  error: { code: -32007, message: 'Request is too big', data: `Exceeded max limit of ${maxBodyBytes}` },
});
