import { faultText } from './format.ts';
import type { Answer, UiNode } from './ui-node.ts';

/** A call that changed the node, as it is shown and copied. */
export type DoneCall = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly result: string;
};

/** What a control does to the node: one call at a time, with the JSON-RPC that it was and what came of it. */
export class Actions {
  #node: Pick<UiNode, 'request' | 'hasSecret'>;
  #busy = $state.raw<string | null>(null);
  #fault = $state.raw<{ readonly what: string; readonly text: string } | null>(null);
  #last = $state.raw<DoneCall | null>(null);

  constructor(node: Pick<UiNode, 'request' | 'hasSecret'>) {
    this.#node = node;
  }

  /** Words for what runs now; null when nothing does. */
  get busy(): string | null {
    return this.#busy;
  }

  get fault() {
    return this.#fault;
  }

  /** The last call that went through. Secret params are not shown. */
  get last(): DoneCall | null {
    return this.#last;
  }

  dismiss(): void {
    this.#fault = null;
  }

  /** Calls the node; null when it refused, or when another action runs. `what` begins a sentence: "Building 5 blocks". */
  async run<M extends string>(
    what: string,
    method: M,
    params: readonly unknown[],
  ): Promise<{ readonly value: Answer<M> } | null> {
    if (this.#busy !== null) return null;
    this.#busy = what;
    this.#fault = null;
    try {
      const value = await this.#node.request(method, params);
      const shown = this.#node.hasSecret(method) ? ['(hidden)'] : params;
      this.#last = { method, params: shown, result: JSON.stringify(value) ?? 'null' };
      return { value };
    } catch (fault) {
      this.#fault = { what, text: faultText(fault) };
      return null;
    } finally {
      this.#busy = null;
    }
  }
}
