import { writeJson } from '../../../src/protocol/json.ts';
import type { Answer, UiNode } from './ui-node.ts';

/** A completed call, for display and copying. */
export type DoneCall = {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly result: string;
};

/** Why a control waits for what runs; null if nothing does. */
export const busyText = (busy: string | null): string | null =>
  busy === null ? null : `${busy}. Wait until that is done.`;

/** Runs one call at a time for a control; has the running call, the last error and the last completed call. */
export class Actions {
  #node: Pick<UiNode, 'request' | 'hasSecret'>;
  #busy = $state.raw<string | null>(null);
  #fault = $state.raw<{ readonly what: string; readonly error: unknown } | null>(null);
  #last = $state.raw<DoneCall | null>(null);

  constructor(node: Pick<UiNode, 'request' | 'hasSecret'>) {
    this.#node = node;
  }

  /** Description of the running call; null if there is none. */
  get busy(): string | null {
    return this.#busy;
  }

  get fault() {
    return this.#fault;
  }

  /** The last successful call, without secret parameters. */
  get last(): DoneCall | null {
    return this.#last;
  }

  /** Clears the last error and the last call. */
  dismiss(): void {
    this.#fault = null;
    this.#last = null;
  }

  /**
   * Resolves to null if the node rejects it or another call runs. `what` starts a sentence: "Building 5 blocks".
   * `act` does it in several calls, which together do what the one that is shown would.
   */
  async run<M extends string>(
    what: string,
    method: M,
    params: readonly unknown[],
    act = (): Promise<Answer<M>> => this.#node.request(method, params),
  ): Promise<{ readonly value: Answer<M> } | null> {
    if (this.#busy !== null) return null;
    this.#busy = what;
    this.#fault = null;
    try {
      const value = await act();
      const shown = this.#node.hasSecret(method, params) ? ['(hidden)'] : params;
      this.#last = { method, params: shown, result: writeJson(value) };
      return { value };
    } catch (error) {
      this.#fault = { what, error };
      return null;
    } finally {
      this.#busy = null;
    }
  }
}
