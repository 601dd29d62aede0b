import { archive } from './archive.ts';
import { author } from './author.ts';
import { blockStats, chain, chainSpec } from './chain.ts';
import { chainHead } from './chain-head.ts';
import { childstate } from './childstate.ts';
import { chopsticks } from './chopsticks.ts';
import { babe, beefy, engine, grandpa, mmr, voters } from './consensus.ts';
import { contracts } from './contracts.ts';
import type { CallEntry, Entry, RpcTable, SubscriptionEntry } from './define.ts';
import { dev } from './dev.ts';
import { keys } from './keys.ts';
import { bitswap, network, syncState } from './network.ts';
import { observe } from './observe.ts';
import { offchain } from './offchain.ts';
import { rehearsal } from './rehearsal.ts';
import { state } from './state.ts';
import { payment, rpc, system } from './system.ts';
import { traffic } from './traffic.ts';
import { transaction } from './transaction.ts';

/**
 * Every method of the node: the only list, used for dispatch, `rpc_methods`, the typed client, forms and
 * docs.
 */
export const rpcTable = {
  ...archive,
  ...author,
  ...babe,
  ...beefy,
  ...bitswap,
  ...blockStats,
  ...chain,
  ...chainHead,
  ...chainSpec,
  ...childstate,
  ...chopsticks,
  ...contracts,
  ...dev,
  ...engine,
  ...keys,
  ...mmr,
  ...grandpa,
  ...network,
  ...observe,
  ...offchain,
  ...payment,
  ...rehearsal,
  ...rpc,
  ...state,
  ...syncState,
  ...system,
  ...traffic,
  ...transaction,
  ...voters,
};
export type MethodTable = typeof rpcTable;

/** The entry of a method under its own name; undefined for any other text, such as `constructor`. */
export const entryOf = (method: string): Entry | undefined =>
  Object.hasOwn(rpcTable, method) ? rpcTable[method as keyof MethodTable] : undefined;

/** The meaning of a name on the wire. `method` is the key in the table. */
export type Route =
  | { readonly kind: 'call'; readonly method: string; readonly entry: CallEntry }
  | SubscribeRoute
  | { readonly kind: 'unsubscribe'; readonly method: string; readonly entry: SubscriptionEntry };
export type SubscribeRoute = {
  readonly kind: 'subscribe';
  readonly method: string;
  readonly entry: SubscriptionEntry;
};

const routesOf = (method: string, entry: Entry): [string, Route][] => {
  const names = [method, ...(entry.aliases ?? [])];
  if (entry.kind === 'call') return names.map((name) => [name, { kind: 'call', method, entry }]);
  const ends = [entry.unsubscribe, ...(entry.unsubscribeAliases ?? [])];
  return [
    ...names.map((name): [string, Route] => [name, { kind: 'subscribe', method, entry }]),
    ...ends.map((name): [string, Route] => [name, { kind: 'unsubscribe', method, entry }]),
  ];
};

/** Every name of a table, including aliases and unsubscribe names. A duplicate name is a bug. */
export const createRoutes = (table: RpcTable): ReadonlyMap<string, Route> => {
  const routes = new Map<string, Route>();
  for (const [method, entry] of Object.entries(table)) {
    for (const [name, route] of routesOf(method, entry)) {
      if (routes.has(name)) throw new TypeError(`The RPC name ${name} is declared twice`);
      routes.set(name, route);
    }
  }
  return routes;
};
