import { call, methods } from './define.ts';
import { blockToRun, buildMode, runtimeLogLevel } from './params/chopsticks.ts';
import { bytesList, hash, optional } from './params/params.ts';
import type { chopsticksResults } from './results/chopsticks.ts';

/** Methods that chopsticks has besides those in `dev.ts`, in its forms. */
export const chopsticks = methods<typeof chopsticksResults>()({
  dev_setBlockBuildMode: call({ params: { mode: buildMode() }, safety: 'unsafe' }),
  dev_setRuntimeLogLevel: call({ params: { level: runtimeLogLevel() }, safety: 'unsafe' }),
  dev_getReadProof: call({ params: { keys: bytesList(), hash: optional(hash()) }, safety: 'unsafe' }),
  dev_runBlock: call({ params: { block: optional(blockToRun()) }, safety: 'unsafe' }),
});
