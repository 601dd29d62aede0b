import type { FinalityMode, NodeStatus } from '../../src/index.ts';
import { faultText } from '../state/format.ts';
import type { UiNode } from '../state/ui-node.ts';

/** A snapshot as dev_listSnapshots returns it. */
export type Snapshot = {
  readonly name: string;
  readonly hash: string;
  readonly number: number;
  readonly finalizedNumber: number;
  /** Milliseconds since 1970. */
  readonly takenMs: number;
};

/** State of the controls: snapshots, finality and seal modes, and where the clock was moved to. */
export class Control {
  #node: UiNode;
  #hear: (status: NodeStatus) => void;
  #snapshots = $state.raw<readonly Snapshot[] | null>(null);
  #fault = $state.raw<string | null>(null);
  #finality = $state.raw<FinalityMode | null>(null);
  #seal = $state.raw<string>('');
  #reading: Promise<void> | null = null;
  #again = false;
  #movedTo = $state.raw<number | null>(null);

  /** `hear` is called with each status that is read. */
  constructor(node: UiNode, hear: (status: NodeStatus) => void) {
    this.#node = node;
    this.#hear = hear;
  }

  /** Newest first; null until they are read. */
  get snapshots(): readonly Snapshot[] | null {
    return this.#snapshots;
  }

  get fault(): string | null {
    return this.#fault;
  }

  /** Null until it is read. */
  get finality(): FinalityMode | null {
    return this.#finality;
  }

  /** The seal mode as text; empty until it is read. */
  get seal(): string {
    return this.#seal;
  }

  /**
   * Where the clock was moved to, in milliseconds since 1970: the next block is not earlier. Null if it was
   * not moved.
   */
  get movedTo(): number | null {
    return this.#movedTo;
  }

  moved(ms: number | null): void {
    this.#movedTo = ms;
  }

  /**
   * Reads everything again. A read in progress may return older values, so it is followed by one more, which
   * all callers share.
   */
  read(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#readAll().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readAll(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      await this.#readOnce();
    }
  }

  async #readOnce(): Promise<void> {
    try {
      const [list, status] = await Promise.all([
        this.#node.request('dev_listSnapshots', []) as Promise<readonly Snapshot[]>,
        this.#node.status(),
      ]);
      this.#snapshots = list.toSorted((a, b) => b.takenMs - a.takenMs);
      this.#hear(status);
      this.#finality = status.finality;
      const { seal } = status;
      this.#seal =
        seal.kind === 'interval'
          ? `every ${seal.ms / 1000} s`
          : { manual: 'manual', instant: 'on transactions', slots: 'every slot' }[seal.kind];
      this.#fault = null;
    } catch (fault) {
      this.#fault = faultText(fault);
    }
  }
}
