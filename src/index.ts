import { type NodeOptions, startNodeIn, type TabNode, type WorkerHost } from './start.ts';

export type { RpcClient, Unsubscribe } from './client.ts';
export type { BatchAnswer, BatchCall, CallOptions, Connection } from './connection.ts';
export { JsonRpcError } from './json-rpc-error.ts';
export type { CustomContext, CustomHandler, CustomMethod, CustomMethods } from './protocol/custom.ts';
export { type ErrorCode, errorCodes, NodeError } from './protocol/errors.ts';
export type {
  ChainSource,
  Dialect,
  FinalityMode,
  NodeStatus,
  SealMode,
  StartInfo,
  StorageSource,
} from './protocol/node.ts';
export { recordTraffic, type TrafficRecorder } from './record.ts';
export { type RecordedMessage, readRecording, writeRecordLine } from './recording.ts';
export { createReplayConnection, type ReplayOptions } from './replay.ts';
export {
  type ChainSpecJson,
  type NodeOptions,
  type Snapshot,
  startNodeIn,
  type TabNode,
  type WorkerHost,
} from './start.ts';

export type StartOptions = NodeOptions & {
  /** Where the built worker lies when it is not beside this module, for instance on another origin. */
  readonly workerUrl?: string | URL;
};

const createHost = (workerUrl: string | URL | undefined): WorkerHost => {
  const worker =
    workerUrl === undefined
      ? new Worker(new URL('../worker/main.ts', import.meta.url), { type: 'module' })
      : new Worker(workerUrl, { type: 'module' });
  return {
    endpoint: worker,
    onDeath: (listener) => {
      // An error before the first message means the script did not load; later ones leave the worker alive.
      let hasSpoken = false;
      worker.addEventListener('message', () => {
        hasSpoken = true;
      });
      worker.addEventListener('error', (event) => {
        if (!hasSpoken)
          listener(
            event.message === undefined
              ? 'The worker could not be loaded'
              : `The worker failed: ${event.message}`,
          );
      });
    },
    terminate: () => worker.terminate(),
  };
};

/** Starts a node in a worker of its own. */
export const startNode = ({ workerUrl, ...options }: StartOptions = {}): Promise<TabNode> =>
  startNodeIn(createHost(workerUrl), options);
