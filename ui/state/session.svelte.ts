import { NodeError } from '../../src/index.ts';
import { faultText } from './format.ts';
import type { OpenNode, UiNode } from './ui-node.ts';

/** Where the node of this page stands. */
export type Phase =
  | { readonly kind: 'starting'; readonly sinceMs: number }
  | { readonly kind: 'running'; readonly node: UiNode }
  | { readonly kind: 'inUse' }
  | { readonly kind: 'failed'; readonly error: NodeError }
  | { readonly kind: 'dead'; readonly error: NodeError; readonly lastBest: string };

const toNodeError = (fault: unknown): NodeError =>
  fault instanceof NodeError ? fault : new NodeError('Disconnected', faultText(fault), { cause: fault });

/** The node's life in this page: started once, started again when asked. */
export class Session {
  #phase = $state.raw<Phase>({ kind: 'starting', sinceMs: 0 });
  #open: OpenNode;
  #now: () => number;

  constructor(open: OpenNode, now: () => number = () => performance.now()) {
    this.#open = open;
    this.#now = now;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** Starts the node; also the one restart button. */
  async start(): Promise<void> {
    this.#phase = { kind: 'starting', sinceMs: this.#now() };
    try {
      const node = await this.#open();
      node.onDown((error) => this.#down(node, error));
      this.#phase = { kind: 'running', node };
    } catch (fault) {
      const error = toNodeError(fault);
      this.#phase = error.code === 'ChainInUse' ? { kind: 'inUse' } : { kind: 'failed', error };
    }
  }

  #down(node: UiNode, error: NodeError): void {
    if (this.#phase.kind !== 'running' || this.#phase.node !== node) return;
    this.#phase = { kind: 'dead', error, lastBest: node.info.bestHash };
  }
}
