import type { BeginOptions } from '../../../src/begin.ts';
import type { RpcClient } from '../../../src/client.ts';
import type {
  CallOptions,
  ChainSource,
  Connection,
  ForkProgress,
  NodeError,
  NodeStatus,
  StartInfo,
} from '../../../src/index.ts';
import type { ConnectOptions } from '../../../src/protocol/node.ts';
import type { Result } from '../../../src/protocol/rpc/define.ts';
import type { MethodTable } from '../../../src/protocol/rpc/index.ts';
import type { Keeps } from '../../kit/text/discarded.ts';
import { type ChainModes, recentStates } from './chain-modes.ts';
import type { Traffic } from './traffic.svelte.ts';

/** An open subscription; `opened` rejects if the node refuses it. */
export type UiSubscription = { readonly opened: Promise<void>; readonly close: () => void };

/** The result of a method in the table, or the value of its notifications. */
export type Answer<M extends string> = M extends keyof MethodTable ? Result<MethodTable[M]> : unknown;

/** A node that runs elsewhere: its URL, and the name and version of its software. */
export type Remote = { readonly url: string; readonly software: string };

/** A running node as the page uses it; created from the library in open-node.ts. */
export type UiNode = {
  readonly info: Omit<StartInfo, 'base'>;
  /** Whether another tab runs the node. When that tab closes, this one starts it. */
  readonly isElsewhere: boolean;
  /** Whether `info` is current, because the node has just started. */
  readonly isFresh: boolean;
  /** Resolves once a starting node runs; until then, only name and genesis hash of `info` are known. */
  readonly starting?: Promise<StartInfo>;
  /** Null if the node runs in this browser. */
  readonly remote: Remote | null;
  /** Whether the node has a method, if one is needed; true for any method if the node does not list its methods. */
  offers(method: string | undefined): boolean;
  /** Typed calls for the methods of the table; a subscription ends when its signal is aborted. */
  readonly rpc: RpcClient;
  /** Calls by name, for methods chosen at run time. */
  request<M extends string>(method: M, params: readonly unknown[], options?: CallOptions): Promise<Answer<M>>;
  subscribe<M extends string>(
    method: M,
    params: readonly unknown[],
    unsubscribe: string,
    onValue: (value: Answer<M>) => void,
  ): UiSubscription;
  /** Whether the params of a call contain secrets: keys, secret URIs. */
  hasSecret(method: string, params: readonly unknown[]): boolean;
  status(): Promise<NodeStatus>;
  /**
   * Of a fork: the block of the live chain from which it continues, as the node last reported it, because a rebase changes it.
   * Null for other chains, and while a starting node does not run.
   */
  base(): NonNullable<StartInfo['base']> | null;
  /** Which states the node keeps; null until its first status, or if it reports none. */
  keeps(): Keeps;
  /** Opens another connection, with its own subscriptions and limits. */
  connect(): Promise<Connection>;
  /** Opens a raw port of another connection, for programs connected through a bridge. */
  openPort(options?: Partial<ConnectOptions>): Promise<MessagePort>;
  /** Registers a listener for when the worker ends unexpectedly; returns a function that removes it. */
  onDown(tell: (error: NodeError) => void): () => void;
  /**
   * Makes the node the page's `tabnode` in the console. Called when the page shows it: a node that opens late, after another
   * chain was chosen, must not replace the one that is shown. Absent for a node elsewhere.
   */
  readonly toConsole?: () => void;
  stop(): Promise<void>;
  /** The same node with some members replaced; `rpc` uses the replaced ones. */
  with(change: Partial<UiNode>): UiNode;
};

/** Shows a node that is still starting. */
export type StartingNode = Pick<BeginOptions, 'keys' | 'network'> & {
  /** Whether it is linked with nodes of the same chain in other tabs. */
  readonly linksTabs?: boolean;
  /** Whether the chain is kept in memory, because the browser stores nothing for the page. */
  readonly inMemory: boolean;
  /** What was known of the chain when it was last open; null if it was not. */
  readonly known: ChainIdentity | null;
  /** Receives the node if something is known; all its calls wait until it runs. */
  readonly take: (node: UiNode) => void;
  /** The log of the page that shows the node; null until there is one. */
  readonly traffic: () => Traffic | null;
} & StartWatch;

/** For a chain that takes long to start: how far it is, and how to end that. */
export type StartWatch = {
  readonly signal?: AbortSignal | undefined;
  /** Of a fork: what was read of the live chain. */
  readonly onProgress?: ((progress: ForkProgress) => void) | undefined;
  /** Of a fork that is created from a file (`dev_exportFork`). Afterwards, what it holds is in the fork's database. */
  readonly pack?: Uint8Array | undefined;
};

/** What identifies a chain. */
export type ChainIdentity = Pick<StartInfo, 'chainName' | 'genesisHash'>;

export const isSameChain = (a: ChainIdentity, b: ChainIdentity): boolean =>
  a.genesisHash === b.genesisHash && a.chainName === b.chainName;

/** Starts the chain whose database has this name; rejects with a NodeError. */
export type OpenNode = (
  id: string,
  chain: ChainSource,
  modes: ChainModes,
  starting: StartingNode,
) => Promise<UiNode>;

/** The code that reads a live chain is loaded with the first fork. */
const originOptions = (
  chain: ChainSource,
  { onProgress, pack }: StartWatch,
): Pick<BeginOptions, 'chain' | 'forkSource'> => {
  if (typeof chain === 'string' || !('fork' in chain)) return { chain };
  const loading = () => import('../live-chain/page-fork.ts');
  return { forkSource: async () => (await loading()).pageFork({ ...chain.fork, pack }, onProgress) };
};

export const nodeOptions = (...[name, chain, modes, starting]: Parameters<OpenNode>): BeginOptions => {
  const { inMemory, signal, keys, network } = starting;
  const { finality, states, ...rest } = modes;
  const origin = originOptions(chain, starting);
  // Applies only to a chain that is created now. A fork keeps all states.
  const statePruning = {
    ifNew: states === 'archive' || origin.forkSource ? 'archive' : recentStates,
  } as const;
  const storage = inMemory ? 'memory' : ({ kind: 'indexeddb', name } as const);
  return {
    ...origin,
    storage,
    statePruning,
    ...rest,
    ...(finality === null ? {} : { finality }),
    ...(signal && { signal }),
    ...(keys && { keys }),
    ...(network && { network }),
  };
};
