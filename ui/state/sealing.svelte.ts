import type { NodeStatus, SealMode } from '../../src/index.ts';
import { faultText } from './format.ts';
import type { UiNode } from './ui-node.ts';

/** The choices of the seal control; an interval stands for its milliseconds. */
export const sealChoices = [
  { value: 'interval:2000', label: 'every 2 s', mode: { kind: 'interval', ms: 2000 } },
  { value: 'interval:6000', label: 'every 6 s', mode: { kind: 'interval', ms: 6000 } },
  { value: 'instant', label: 'instant', mode: { kind: 'instant' } },
  { value: 'slots', label: 'by slots', mode: { kind: 'slots' } },
  { value: 'manual', label: 'manual', mode: { kind: 'manual' } },
] as const satisfies readonly { value: string; label: string; mode: SealMode }[];

const choiceOf = (mode: SealMode): string => (mode.kind === 'interval' ? `interval:${mode.ms}` : mode.kind);

/** Sealing by hand and the seal mode, with what went wrong last. */
export class Sealing {
  #node: UiNode;
  #choice = $state.raw('interval:2000');
  #finalizes = $state.raw(false);
  #busy = $state.raw(false);
  #fault = $state.raw<string | null>(null);

  constructor(node: UiNode) {
    this.#node = node;
    void node.status().then(
      (status) => this.hear(status),
      () => undefined,
    );
  }

  /** Takes over what the node says: any client of it may have set other modes. */
  hear({ seal, finality }: Pick<NodeStatus, 'seal' | 'finality'>): void {
    this.#finalizes = finality.kind === 'instant';
    if (!this.#busy) this.#choice = choiceOf(seal);
  }

  /** Whether the node makes each block final as it is sealed. */
  get finalizes(): boolean {
    return this.#finalizes;
  }

  get choice(): string {
    return this.#choice;
  }

  get busy(): boolean {
    return this.#busy;
  }

  get fault(): string | null {
    return this.#fault;
  }

  /** Seals one block now, empty or not. Whether it becomes final, and when, is up to the finality mode. */
  async seal(): Promise<void> {
    if (this.#busy) return;
    await this.#act(async () => {
      await this.#node.request('engine_createBlock', [true, false]);
    });
  }

  async choose(value: string): Promise<void> {
    const mode = sealChoices.find((choice) => choice.value === value)?.mode;
    if (!mode) return;
    const before = this.#choice;
    this.#choice = value;
    await this.#act(
      () => this.#node.setSeal(mode),
      () => {
        this.#choice = before;
      },
    );
  }

  dismiss(): void {
    this.#fault = null;
  }

  async #act(run: () => Promise<void>, undo?: () => void): Promise<void> {
    this.#busy = true;
    this.#fault = null;
    try {
      await run();
    } catch (fault) {
      undo?.();
      this.#fault = faultText(fault);
    } finally {
      this.#busy = false;
    }
  }
}
