import type {
  CallOptions,
  ChainSource,
  Connection,
  NodeError,
  NodeOptions,
  NodeStatus,
  SealMode,
  StartInfo,
} from '../../src/index.ts';
import type { ChainModes } from '../chains/chain-modes.ts';

/** An open subscription: `opened` rejects when the node refused it. */
export type UiSubscription = { readonly opened: Promise<void>; readonly close: () => void };

/** What the page needs of a running node; made from the library in open-node.ts. */
export type UiNode = {
  readonly info: StartInfo;
  /** Whether `info` tells of this moment: the node has only just started. */
  readonly isFresh: boolean;
  request(method: string, params: readonly unknown[], options?: CallOptions): Promise<unknown>;
  subscribe(
    method: string,
    params: readonly unknown[],
    unsubscribe: string,
    onValue: (value: unknown) => void,
  ): UiSubscription;
  /** Whether the method's params are nobody's business: keys, secret URIs. */
  hasSecret(method: string): boolean;
  status(): Promise<NodeStatus>;
  setSeal(mode: SealMode): Promise<void>;
  /** Another connection, with subscriptions and limits of its own. */
  connect(): Promise<Connection>;
  /** Tells when the worker ended by itself. */
  onDown(tell: (error: NodeError) => void): () => void;
  stop(): Promise<void>;
};

/** Starts the chain whose database has this name; rejects with a NodeError whose code says what is wrong. */
export type OpenNode = (id: string, chain: ChainSource, modes: ChainModes) => Promise<UiNode>;

export const nodeOptions = (...[id, chain, modes]: Parameters<OpenNode>): NodeOptions => {
  const { finality, ...rest } = modes;
  const storage = { kind: 'indexeddb', name: id } as const;
  return { chain, storage, ...rest, ...(finality === null ? {} : { finality }) };
};
