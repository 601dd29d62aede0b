import { faultText } from '../state/format.ts';
import type { UiNode } from '../state/ui-node.ts';

/** A call that a control made, as it is shown and copied. */
export type DoneCall = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly result: string;
};

/** What the controls do to the chain: one at a time, with the call it was and what came of it. */
export class Actions {
  #node: UiNode;
  #busy = $state.raw<string | null>(null);
  #fault = $state.raw<{ readonly what: string; readonly text: string } | null>(null);
  #last = $state.raw<DoneCall | null>(null);

  constructor(node: UiNode) {
    this.#node = node;
  }

  /** Words for what runs now; null when nothing does. */
  get busy(): string | null {
    return this.#busy;
  }

  get fault() {
    return this.#fault;
  }

  /** The last call that went through. */
  get last(): DoneCall | null {
    return this.#last;
  }

  dismiss(): void {
    this.#fault = null;
  }

  /** Calls the node; null when it refused, or when another action runs. `what` begins a sentence: "Building 5 blocks". */
  async run(
    what: string,
    method: string,
    params: readonly unknown[],
  ): Promise<{ readonly value: unknown } | null> {
    if (this.#busy !== null) return null;
    this.#busy = what;
    this.#fault = null;
    try {
      const value = await this.#node.request(method, params);
      this.#last = { method, params, result: JSON.stringify(value) ?? 'null' };
      return { value };
    } catch (fault) {
      this.#fault = { what, text: faultText(fault) };
      return null;
    } finally {
      this.#busy = null;
    }
  }
}
