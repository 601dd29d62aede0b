import { call, methods } from './define.ts';
import {
  amount,
  chainFormat,
  dryRunParam,
  finalityMode,
  forkChange,
  headTarget,
  moment,
  networkChange,
  newBlock,
  snapshotName,
  storageEdits,
} from './params/dev.ts';
import { boolean, hash, optional, sealMode, text, u32 } from './params/params.ts';
import type { devResults } from './results/dev.ts';

/** Methods for the operator of a development node only; named as in chopsticks if it has the same method. */
export const dev = methods<typeof devResults>()({
  dev_setSealMode: call({ params: { mode: sealMode() }, safety: 'unsafe' }),
  dev_setFinality: call({ params: { mode: finalityMode() }, safety: 'unsafe' }),
  dev_newBlock: call({ params: { options: optional(newBlock()) }, safety: 'unsafe' }),
  dev_seal: call({ params: { finalize: optional(boolean()) }, safety: 'unsafe' }),
  dev_finalise: call({ params: { hash: optional(hash()) }, safety: 'unsafe', aliases: ['dev_finalize'] }),
  dev_setHead: call({ params: { hash_or_number: headTarget() }, safety: 'unsafe' }),
  dev_setStorage: call({ params: { values: storageEdits(), hash: optional(hash()) }, safety: 'unsafe' }),
  dev_dryRun: call({ params: { params: dryRunParam() }, safety: 'unsafe' }),
  dev_timeTravel: call({ params: { date: moment() }, safety: 'unsafe' }),
  dev_fund: call({ params: { account: text('account'), amount: amount() }, safety: 'unsafe' }),
  dev_impersonate: call({
    params: { account: text('account'), enabled: optional(boolean()) },
    safety: 'unsafe',
  }),
  dev_snapshot: call({ params: { name: snapshotName() }, safety: 'unsafe' }),
  dev_listSnapshots: call({ params: {}, safety: 'unsafe' }),
  dev_restore: call({ params: { name: snapshotName() }, safety: 'unsafe' }),
  dev_deleteSnapshot: call({ params: { name: snapshotName() }, safety: 'unsafe' }),
  dev_pool: call({ params: {}, safety: 'unsafe' }),
  dev_reset: call({ params: {}, safety: 'unsafe' }),
  dev_exportChain: call({
    params: { format: optional(chainFormat()), from: optional(u32()), to: optional(u32()) },
    safety: 'unsafe',
  }),
  dev_exportFork: call({ params: {}, safety: 'unsafe' }),
  dev_fork: call({ params: { options: forkChange() }, safety: 'unsafe' }),
  dev_network: call({ params: { change: optional(networkChange()) }, safety: 'unsafe' }),
  dev_importChain: call({ params: { data: text(), more: optional(boolean()) }, safety: 'unsafe' }),
});
