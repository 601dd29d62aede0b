import { checkOptions } from './check-options.ts';
import { createHost } from './host.ts';
import { NodeError } from './protocol/errors.ts';
import { type NodeOptions, startNodeIn, type TabNode } from './start.ts';
import { openPersistent } from './tabs/persistent-node.ts';
import { startNodeInThread } from './thread.ts';

export type { RpcClient, Unsubscribe } from './client.ts';
export type { BatchAnswer, BatchCall, CallOptions, Connection } from './connection.ts';
export type { ForkOptions, ForkProvider, NamedProvider } from './fork-source.ts';
export { connectNodes, type LinkableNode, type NodeLink } from './link.ts';
export type { LiveChainName } from './live-chains.ts';
export { type FoundNode, findNodes } from './offer/find-nodes.ts';
export {
  type OfferDetail,
  type OfferedChain,
  type OfferedProvider,
  type OfferOptions,
  type OfferUser,
  offerNode,
} from './offer/offer-node.ts';
export {
  ProviderError,
  type ProviderMessage,
  type RequestProvider,
  toRequestProvider,
} from './offer/request-provider.ts';
export type { CustomContext, CustomHandler, CustomMethod, CustomMethods } from './protocol/custom.ts';
export { type ErrorCode, errorCodes, NodeError } from './protocol/errors.ts';
export type { ForkProgress } from './protocol/fork-source.ts';
export type { ForkStatus } from './protocol/fork-status.ts';
export { JsonRpcError } from './protocol/json-rpc/json-rpc-error.ts';
export type {
  ChainSource,
  Dialect,
  FinalityMode,
  NodeStatus,
  SealMode,
  StartInfo,
  StorageSource,
} from './protocol/node.ts';
export {
  type RecordedMessage,
  readRecording,
  recordTraffic,
  type TrafficRecorder,
  writeRecordLine,
} from './record.ts';
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
  /**
   * In a browser, shares a chain in IndexedDB with the tabs of this origin, the devtools included: the first
   * one runs the node, and the others use it. When that one closes, crashes or stops responding, connections
   * end with `Disconnected`, and another tab runs the node; `connect()` waits for it. Options other than
   * `storage` take effect in the tab that runs the node. Default: no.
   */
  readonly shared?: boolean;
};

const startShared = async (options: NodeOptions, workerUrl: string | URL | undefined): Promise<TabNode> => {
  checkOptions(options);
  const { storage } = options;
  if (typeof storage !== 'object' || storage.kind !== 'indexeddb')
    throw new NodeError('BadConfig', 'shared: tabs share chains that are stored in IndexedDB');
  return openPersistent(storage.name, options, () => createHost(workerUrl));
};

/**
 * Starts a node in its own worker; in Node.js, which has no web workers, in a thread. With `shared`, rejects
 * with `ChainInUse` only if another tab has the chain and does not share it.
 */
export const startNode = async ({
  workerUrl,
  shared = false,
  ...options
}: StartOptions = {}): Promise<TabNode> => {
  if (typeof Worker !== 'function') return startNodeInThread(options);
  return shared ? startShared(options, workerUrl) : startNodeIn(createHost(workerUrl), options);
};
