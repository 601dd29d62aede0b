import type { FinalityMode, NodeStatus, SealMode } from '../../src/index.ts';
import { Actions } from './action.svelte.ts';
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
  #choice = $state.raw('interval:2000');
  #finality = $state.raw<FinalityMode | null>(null);
  #actions: Actions;

  constructor(node: UiNode) {
    this.#actions = new Actions(node);
    void node.status().then(
      (status) => this.hear(status),
      () => undefined,
    );
  }

  /** Takes over what the node says: any client of it may have set other modes. */
  hear({ seal, finality }: Pick<NodeStatus, 'seal' | 'finality'>): void {
    this.#finality = finality;
    if (!this.busy) this.#choice = choiceOf(seal);
  }

  /** What finalizes; null until it is known. */
  get finality(): FinalityMode | null {
    return this.#finality;
  }

  /** Whether the node makes each block final as it is sealed. */
  get finalizes(): boolean {
    return this.#finality?.kind === 'instant';
  }

  get choice(): string {
    return this.#choice;
  }

  get busy(): boolean {
    return this.#actions.busy !== null;
  }

  get fault(): string | null {
    return this.#actions.fault?.text ?? null;
  }

  /** Seals one block now, empty or not. Whether it becomes final, and when, is up to the finality mode. */
  async seal(): Promise<void> {
    await this.#actions.run('Sealing a block', 'engine_createBlock', [true, false]);
  }

  async choose(value: string): Promise<void> {
    const mode = sealChoices.find((choice) => choice.value === value)?.mode;
    if (!mode) return;
    const before = this.#choice;
    this.#choice = value;
    const done = await this.#actions.run('Setting the seal mode', 'dev_setSealMode', [mode]);
    if (done === null) this.#choice = before;
  }

  dismiss(): void {
    this.#actions.dismiss();
  }
}
