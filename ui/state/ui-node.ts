import type { NodeError } from '../../src/protocol/errors.ts';
import type { NodeStatus, SealMode, StartInfo } from '../../src/protocol/node.ts';

/** What the page needs of a running node; made from the library in open-node.ts, and by hand in dev/fake-node.ts. */
export type UiNode = {
  readonly info: StartInfo;
  request(method: string, params: readonly unknown[] | object): Promise<unknown>;
  /** Opens a JSON-RPC subscription; the answer closes it. */
  subscribe(
    method: string,
    params: readonly unknown[] | object,
    unsubscribe: string,
    onValue: (value: unknown) => void,
  ): () => void;
  status(): Promise<NodeStatus>;
  setSeal(mode: SealMode): Promise<void>;
  /** Tells when the worker ended by itself. */
  onDown(tell: (error: NodeError) => void): () => void;
  stop(): Promise<void>;
};

/** Starts the node; rejects with a NodeError whose code says what is wrong. */
export type OpenNode = () => Promise<UiNode>;
