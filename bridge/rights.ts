import type { DenyUnsafe } from '../src/protocol/node.ts';
import type { Cors } from './rpc-settings.ts';

/**
 * Who a page is to the operator: `own` may call what its door allows, a `guest` safe calls only, `foreign`
 * nothing.
 */
export type Page = 'own' | 'guest' | 'foreign';

const portOrNone = /^(:\d{1,5})?$/;

/** `:*` stands for any port or none, `//*` for any page of a scheme. */
const matches = (pattern: string, origin: string): boolean => {
  if (pattern.endsWith('://*')) return origin.startsWith(pattern.slice(0, -1));
  if (!pattern.endsWith(':*')) return pattern === origin;
  const start = pattern.slice(0, -2);
  return origin.startsWith(start) && portOrNone.test(origin.slice(start.length));
};

/** Programs send no Origin: they count as the operator's own. */
export const pageOf = (origin: string | undefined, cors: Cors): Page => {
  if (origin === undefined || cors === 'all') return 'own';
  const isIn = (list: readonly string[]): boolean =>
    list.some((pattern) => matches(pattern, origin.toLowerCase()));
  if (isIn(cors.own)) return 'own';
  return isIn(cors.guests) ? 'guest' : 'foreign';
};

/** What either of two settings denies. */
export const stricter = (one: DenyUnsafe, other: DenyUnsafe): DenyUnsafe => {
  if (one === false || one === other) return other;
  return other === false ? one : true;
};

/**
 * What a request may not call, by the three things that count: where it came in, of which kind it is, and
 * which page sent it. Guests are clients of the SDK, which could not list a map without `state_getKeysPaged`:
 * its marking holds for them.
 */
export const deniedTo = (
  page: Exclude<Page, 'foreign'>,
  listener: { readonly denyUnsafe: DenyUnsafe },
  kind: { readonly denyUnsafe: DenyUnsafe },
): DenyUnsafe =>
  stricter(stricter(listener.denyUnsafe, kind.denyUnsafe), page === 'guest' ? 'polkadot-sdk' : false);

/** What a refused page is told; people read it in the network panel of their browser. */
export const originRefusal = (origin: string): string =>
  `Pages of ${origin.slice(0, 200)} may not call this node. Start it with --rpc-cors all to let every page call, or name the page's origin with --rpc-cors.\n`;
