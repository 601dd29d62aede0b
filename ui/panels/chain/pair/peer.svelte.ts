import type { NodeOptions, TabNode } from '../../../../src/index.ts';
import { type RoundState, unlessNoVoter } from '../../../node/consensus/read-grandpa.ts';

/** Starts a node in a separate worker. */
export type StartPeer = (options: NodeOptions) => Promise<TabNode>;

type Now = {
  readonly phase: 'starting' | 'running' | 'stopped';
  readonly best: number;
  readonly finalized: number;
  /** Null while the node does not vote. */
  readonly rounds: RoundState | null;
};

const stopped: Now = { phase: 'stopped', best: 0, finalized: 0, rounds: null };

/** One of the two nodes, and how far it is. */
export class Peer {
  readonly name: string;
  #start: () => Promise<TabNode>;
  #onLost: (reason: unknown) => void;
  #node: TabNode | null = null;
  now = $state.raw<Now>(stopped);

  /** `onLost` is called if the node ends by itself. */
  constructor(name: string, start: () => Promise<TabNode>, onLost: (reason: unknown) => void) {
    this.name = name;
    this.#start = start;
    this.#onLost = onLost;
  }

  /** The running node; null if there is none. */
  get node(): TabNode | null {
    return this.#node;
  }

  async start(): Promise<TabNode> {
    this.now = { ...stopped, phase: 'starting' };
    try {
      const node = await this.#start();
      this.#node = node;
      const { bestNumber: best, finalizedNumber: finalized } = node.info;
      this.now = { phase: 'running', best, finalized, rounds: null };
      node.connection.onClose((reason) => this.#lose(node, reason));
      await this.#follow(node);
      return node;
    } catch (fault) {
      this.now = stopped;
      throw fault;
    }
  }

  /** The last known values stay visible. */
  async stop(): Promise<void> {
    const node = this.#node;
    this.#node = null;
    this.now = { ...this.now, phase: 'stopped', rounds: null };
    await node?.stop();
  }

  async #follow(node: TabNode): Promise<void> {
    const { rpc } = node;
    const see = (change: Partial<Now>): void => {
      if (this.#node !== node) return;
      this.now = { ...this.now, ...change };
      void this.#readRounds(node);
    };
    await rpc.chain_subscribeNewHeads({}, ({ number }) => see({ best: Number(number) }));
    await rpc.chain_subscribeFinalizedHeads({}, ({ number }) => see({ finalized: Number(number) }));
  }

  /** Votes are read with each block and each step of finality. */
  async #readRounds(node: TabNode): Promise<void> {
    try {
      const rounds = await unlessNoVoter(node.rpc.grandpa_roundState());
      if (this.#node === node) this.now = { ...this.now, rounds };
    } catch {
      // The node was stopped meanwhile, or `onLost` reports why it is gone.
    }
  }

  #lose(node: TabNode, reason: unknown): void {
    if (this.#node !== node) return;
    this.#node = null;
    this.now = { ...this.now, phase: 'stopped', rounds: null };
    this.#onLost(reason);
  }
}
