import type { RpcClient } from '../../src/client.ts';
import type {
  CallOptions,
  ChainSource,
  Connection,
  NodeError,
  NodeOptions,
  NodeStatus,
  StartInfo,
} from '../../src/index.ts';
import type { ConnectOptions } from '../../src/protocol/node.ts';
import type { Result } from '../../src/protocol/rpc/define.ts';
import type { MethodTable } from '../../src/protocol/rpc/index.ts';
import type { ChainModes } from '../chains/chain-modes.ts';

/** An open subscription: `opened` rejects when the node refused it. */
export type UiSubscription = { readonly opened: Promise<void>; readonly close: () => void };

/** What a method of the table answers, or what each notification of its subscription carries. */
export type Answer<M extends string> = M extends keyof MethodTable ? Result<MethodTable[M]> : unknown;

/** A node that runs elsewhere: its address, and its software as far as it tells. */
export type Remote = { readonly url: string; readonly software: string };

/** What the page needs of a running node; made from the library in open-node.ts. */
export type UiNode = {
  readonly info: StartInfo;
  /** Whether another tab runs the node. When that tab closes it, this one starts it. */
  readonly isElsewhere: boolean;
  /** Whether `info` tells of this moment: the node has only just started. */
  readonly isFresh: boolean;
  /** Null where the node runs in this browser. */
  readonly remote: Remote | null;
  /** Whether the node has a method; one that does not list its methods may have any. */
  offers(method: string): boolean;
  /** The methods of the table, with their types; a subscription ends when its signal fires. */
  readonly rpc: RpcClient;
  /** By name, for calls that somebody writes. */
  request<M extends string>(method: M, params: readonly unknown[], options?: CallOptions): Promise<Answer<M>>;
  subscribe<M extends string>(
    method: M,
    params: readonly unknown[],
    unsubscribe: string,
    onValue: (value: Answer<M>) => void,
  ): UiSubscription;
  /** Whether the method's params are nobody's business: keys, secret URIs. */
  hasSecret(method: string): boolean;
  status(): Promise<NodeStatus>;
  /** Another connection, with subscriptions and limits of its own. */
  connect(): Promise<Connection>;
  /** The bare end of another connection, for programs that come through a bridge. */
  openPort(options: ConnectOptions): Promise<MessagePort>;
  /** Tells when the worker ended by itself. */
  onDown(tell: (error: NodeError) => void): () => void;
  stop(): Promise<void>;
  /** The same node with some of its ways changed; `rpc` goes by the changed ones. */
  with(change: Partial<UiNode>): UiNode;
};

/** Starts the chain whose database has this name; rejects with a NodeError whose code says what is wrong. */
export type OpenNode = (id: string, chain: ChainSource, modes: ChainModes) => Promise<UiNode>;

export const nodeOptions = (...[id, chain, modes]: Parameters<OpenNode>): NodeOptions => {
  const { finality, ...rest } = modes;
  const storage = { kind: 'indexeddb', name: id } as const;
  return { chain, storage, ...rest, ...(finality === null ? {} : { finality }) };
};
