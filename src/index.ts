import { createHost } from './host.ts';
import { type NodeOptions, startNodeIn, type TabNode } from './start.ts';
import { startNodeInThread } from './thread.ts';

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
  /** URL of the built worker, if it is not next to this module, for instance on another origin. */
  readonly workerUrl?: string | URL;
};

/** Starts a node in its own worker; in Node.js, which has no web workers, in a thread. */
export const startNode = async ({ workerUrl, ...options }: StartOptions = {}): Promise<TabNode> =>
  typeof Worker === 'function' ? startNodeIn(createHost(workerUrl), options) : startNodeInThread(options);
