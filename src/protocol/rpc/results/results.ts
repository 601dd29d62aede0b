import type { MethodResult } from '../define.ts';
import type { MethodTable } from '../index.ts';
import { archiveResults } from './archive.ts';
import { authorResults, keysResults, transactionResults } from './author.ts';
import { blockStatsResults, chainResults, chainSpecResults } from './chain.ts';
import { chainHeadResults } from './chain-head.ts';
import { chopsticksResults } from './chopsticks.ts';
import * as consensus from './consensus.ts';
import { contractsResults } from './contracts.ts';
import { devResults } from './dev.ts';
import { bitswapResults, networkResults, syncStateResults } from './network.ts';
import { observeResults } from './observe.ts';
import { offchainResults } from './offchain.ts';
import { rehearsalResults } from './rehearsal.ts';
import { childstateResults, stateResults } from './state.ts';
import { paymentResults, rpcResults, systemResults } from './system.ts';
import { trafficResults } from './traffic.ts';

/** What every method of the table returns: for its type, the reference and tests. */
export const methodResults = {
  ...archiveResults,
  ...authorResults,
  ...keysResults,
  ...transactionResults,
  ...chainResults,
  ...chainSpecResults,
  ...blockStatsResults,
  ...chainHeadResults,
  ...consensus.babeResults,
  ...consensus.beefyResults,
  ...consensus.engineResults,
  ...consensus.grandpaResults,
  ...consensus.mmrResults,
  ...consensus.votersResults,
  ...chopsticksResults,
  ...contractsResults,
  ...devResults,
  ...bitswapResults,
  ...networkResults,
  ...syncStateResults,
  ...observeResults,
  ...offchainResults,
  ...rehearsalResults,
  ...stateResults,
  ...childstateResults,
  ...paymentResults,
  ...rpcResults,
  ...systemResults,
  ...trafficResults,
} satisfies Readonly<Record<keyof MethodTable, MethodResult>>;

/** What a method of the table returns. */
export const resultOf = (method: string): MethodResult => methodResults[method as keyof MethodTable];
