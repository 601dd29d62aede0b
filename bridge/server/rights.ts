import { stricter } from '../../src/protocol/deny-unsafe.ts';
import type { DenyUnsafe } from '../../src/protocol/node.ts';
import type { Cors } from '../cli/rpc-settings.ts';

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
