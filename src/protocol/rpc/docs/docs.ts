import type { MethodDoc } from '../define.ts';
import type { MethodTable } from '../index.ts';
import { archiveDocs } from './archive.ts';
import { authorDocs, keysDocs, transactionDocs } from './author.ts';
import { blockStatsDocs, chainDocs, chainSpecDocs } from './chain.ts';
import { chainHeadDocs } from './chain-head.ts';
import { chopsticksDocs } from './chopsticks.ts';
import { babeDocs, beefyDocs, engineDocs, grandpaDocs, mmrDocs, votersDocs } from './consensus.ts';
import { contractsDocs } from './contracts.ts';
import { devDocs } from './dev.ts';
import { bitswapDocs, networkDocs, syncStateDocs } from './network.ts';
import { observeDocs } from './observe.ts';
import { offchainDocs } from './offchain.ts';
import { rehearsalDocs } from './rehearsal.ts';
import { childstateDocs, stateDocs } from './state.ts';
import { paymentDocs, rpcDocs, systemDocs } from './system.ts';
import { trafficDocs } from './traffic.ts';

/** What people read about every method of the table: for forms, help and the reference. */
const methodDocs: Readonly<Record<keyof MethodTable, MethodDoc>> = {
  ...archiveDocs,
  ...authorDocs,
  ...keysDocs,
  ...transactionDocs,
  ...chainDocs,
  ...chainSpecDocs,
  ...blockStatsDocs,
  ...chainHeadDocs,
  ...babeDocs,
  ...beefyDocs,
  ...engineDocs,
  ...grandpaDocs,
  ...mmrDocs,
  ...votersDocs,
  ...chopsticksDocs,
  ...contractsDocs,
  ...devDocs,
  ...bitswapDocs,
  ...networkDocs,
  ...syncStateDocs,
  ...observeDocs,
  ...offchainDocs,
  ...rehearsalDocs,
  ...stateDocs,
  ...childstateDocs,
  ...paymentDocs,
  ...rpcDocs,
  ...systemDocs,
  ...trafficDocs,
};

/** What people read about a method of the table. */
export const docOf = (method: string): MethodDoc => methodDocs[method as keyof MethodTable];
