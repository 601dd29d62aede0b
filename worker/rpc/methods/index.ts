import type { MethodTable } from '../../../src/protocol/rpc/index.ts';
import type { Traffic } from '../connection/traffic.ts';
import type { AnyHandlers } from '../dispatch.ts';
import type { CallContext, Handlers, OneCall, Sink } from '../handlers.ts';
import type { RpcParts } from '../parts.ts';
import { archiveMethods } from './archive/archive.ts';
import { authorMethods } from './author/author.ts';
import { keyMethods } from './author/keys.ts';
import { babeMethods } from './babe.ts';
import { blockStatsMethods } from './block-stats.ts';
import { createChainMethods } from './chain.ts';
import { createChainHeadMethods } from './chain-head/chain-head.ts';
import { chopsticksMethods } from './chopsticks.ts';
import { contractsMethods } from './contracts.ts';
import { devMethods } from './dev.ts';
import { engineMethods } from './engine.ts';
import { grandpaMethods } from './grandpa.ts';
import { mmrMethods } from './mmr.ts';
import { offchainMethods } from './offchain.ts';
import { paymentMethods } from './payment.ts';
import { rehearsalMethods } from './rehearsal.ts';
import {
  beefyMethods,
  bitswapMethods,
  chainSpecMethods,
  createRpcMethods,
  createTrafficMethods,
  type Describe,
} from './small.ts';
import { childstateMethods } from './state/childstate.ts';
import { observeMethods } from './state/observe.ts';
import { createStateMethods } from './state/state.ts';
import { syncStateMethods } from './sync-state.ts';
import { createSystemMethods, type Implementation, networkMethods } from './system.ts';
import { createTransactionMethods } from './transaction.ts';
import { votersMethods } from './voters.ts';

type AnyMethod = (...parameters: unknown[]) => unknown;

/**
 * Every handler, bound to the node. Arguments are parsed with the same table entry that defines the handler's
 * type.
 */
export const createHandlers = (
  parts: RpcParts,
  implementation: Implementation & {
    readonly describe: Describe;
    readonly traffic: Traffic;
    readonly now: () => number;
  },
): AnyHandlers => {
  const handlers: Handlers<MethodTable, RpcParts> = {
    ...archiveMethods,
    ...authorMethods,
    ...babeMethods,
    ...beefyMethods,
    ...bitswapMethods,
    ...blockStatsMethods,
    ...createChainMethods(),
    ...createChainHeadMethods(parts, implementation.now),
    ...chainSpecMethods,
    ...childstateMethods,
    ...chopsticksMethods,
    ...contractsMethods,
    ...devMethods,
    ...engineMethods,
    ...keyMethods,
    ...grandpaMethods,
    ...mmrMethods,
    ...networkMethods,
    ...observeMethods,
    ...offchainMethods,
    ...paymentMethods,
    ...rehearsalMethods,
    ...createRpcMethods(implementation.describe),
    ...createStateMethods(),
    ...syncStateMethods,
    ...createSystemMethods(implementation, parts.chain.best().number),
    ...createTrafficMethods(implementation.traffic),
    ...createTransactionMethods(),
    ...votersMethods,
  };
  const byName = handlers as Readonly<Record<string, unknown>>;
  const find = (method: string): AnyMethod => byName[method] as AnyMethod;
  return {
    call: (method: string, args: object, context: OneCall) => find(method)(parts, args, context),
    subscribe: (method: string, args: object, sink: Sink<unknown>, context: CallContext) =>
      find(method)(parts, args, sink, context),
  };
};
