import type { RpcTable } from '../../src/protocol/rpc/define.ts';
import { createRoutes, rpcTable } from '../../src/protocol/rpc/index.ts';
import { bad } from '../cli/arguments.ts';

/** The methods that a proxy forwards. */
export type AllowList = {
  /** Number of entries. */
  readonly size: number;
  allows(method: string): boolean;
  /**
   * Whether a method opens or ends a subscription or is a plain call. Methods unknown to this node count as
   * calls.
   */
  kindOf(method: string): 'call' | 'subscribe' | 'unsubscribe';
  /** The subscription that a method opens or ends, by one name for all aliases; null for a call. */
  subscriptionOf(method: string): string | null;
};

const lineForm = /^[A-Za-z]\w*\*?$/;

/**
 * The entries of an allow-list: one per line, `#` begins a comment. Throws `BadConfig` with the line number.
 */
const readNames = (path: string, text: string): readonly string[] => {
  const names: string[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    const name = line.replace(/#.*$/, '').trim();
    if (name === '') continue;
    if (!lineForm.test(name))
      throw bad(`${path}:${index + 1}: expected the name of a method, or its beginning and a *`);
    names.push(name);
  }
  if (names.length === 0) throw bad(`${path} names no method`);
  return names;
};

/**
 * Reads an allow-list. `chain_*` matches all methods with that prefix. An allowed subscription may also be
 * unsubscribed, and `rpc_methods` is always allowed, because it lists only allowed methods.
 */
export const readAllowList = (path: string, text: string): AllowList => {
  const names = readNames(path, text);
  const routes = createRoutes(rpcTable as RpcTable);
  const exact = new Set([...names.filter((name) => !name.endsWith('*')), 'rpc_methods']);
  const starts = names.flatMap((name) => (name.endsWith('*') ? [name.slice(0, -1)] : []));
  const isListed = (method: string): boolean =>
    exact.has(method) || starts.some((start) => method.startsWith(start));
  const endsListed = (method: string): boolean => {
    const route = routes.get(method);
    if (route?.kind !== 'unsubscribe') return false;
    return [route.method, ...(route.entry.aliases ?? [])].some(isListed);
  };
  return {
    size: names.length,
    allows: (method) => isListed(method) || endsListed(method),
    kindOf: (method) => routes.get(method)?.kind ?? 'call',
    subscriptionOf: (method) => {
      const route = routes.get(method);
      return route === undefined || route.kind === 'call' ? null : route.method;
    },
  };
};
