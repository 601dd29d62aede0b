import type { MethodDocs } from '../define.ts';

export const chopsticksDocs = {
  dev_runBlock: {
    doc: 'Executes a block again, by default the best one, and reports what each phase (initialization, each extrinsic, finalization) did: time, weight, events, logs, and the values that it changed. If the state root differs from the header, `difference` names the first phase that differs. Given `{block: {header, extrinsics}, parent, includeRaw, includeParsed, includeBlockDetails}`, as in chopsticks, it executes a block that need not be in the chain on the state of `parent` or of the best block, and returns the changes of each phase; roots are not compared.',
    example: {},
  },
  dev_setBlockBuildMode: {
    doc: 'Sets when blocks are built, by the names of chopsticks: `Batch` and `Instant` are the seal mode `instant` (one block takes all transactions that wait), `Manual` is `manual`.',
    example: { mode: 'Manual' },
  },
  dev_setRuntimeLogLevel: {
    doc: 'Sets what runtimes log: 0 nothing, 1 errors, 2 warnings, 3 infos, 4 and 5 more. Replaces the directives of `system_addLogFilter`; `dev_subscribeLogs` delivers the lines.',
    example: { level: 3 },
  },
  dev_getReadProof: {
    doc: "As `state_getReadProof`, with the state root that the proof is for. It is the block header's, unless the state was changed by `dev_setStorage`.",
    example: { keys: ['0x3a636f6465'] },
  },
} satisfies MethodDocs;
