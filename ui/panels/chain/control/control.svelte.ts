import { coalesce } from '../../../kit/page/coalesce.ts';
import { faultText } from '../../../kit/text/format.ts';
import type { Answer, UiNode } from '../../../node/client/ui-node.ts';
import { type Grandpa, loadVoters } from '../../../node/consensus/read-grandpa.ts';
import type { SharedStatus } from '../../../node/node-status.svelte.ts';

type Modes = {
  /** Newest first; null until they are read. */
  readonly snapshots: Answer<'dev_listSnapshots'> | null;
  readonly voters: Grandpa['voters'];
  /** Whether nothing of the chain outlasts the node; null until it is read. */
  readonly inMemory: boolean | null;
  /** Where the clock was moved to, in milliseconds since 1970: the next block is not earlier; 0 if it was not moved. */
  readonly movedToMs: number;
  readonly fault: string | null;
};

/** State of the controls: snapshots, voters, and where the clock was moved to. */
export class Control {
  #node: UiNode;
  #status: SharedStatus;
  #lists = $state.raw<Pick<Modes, 'snapshots' | 'voters' | 'fault'>>({
    snapshots: null,
    voters: undefined,
    fault: null,
  });

  constructor(node: UiNode, status: SharedStatus) {
    this.#node = node;
    this.#status = status;
  }

  get now(): Modes {
    const { now } = this.#status;
    const inMemory = now === null ? null : now.storage === 'memory';
    return { ...this.#lists, inMemory, movedToMs: now?.clockMovedToMs ?? 0 };
  }

  /**
   * Reads everything again. A read in progress may return older values, so it is followed by one more, which
   * all callers share.
   */
  readonly read = coalesce(() => this.#readOnce(true));
  /** The same without the status, which is kept up to date. */
  readonly readLists = coalesce(() => this.#readOnce(false));

  async #readOnce(withStatus: boolean): Promise<void> {
    try {
      const [list, voters] = await Promise.all([
        this.#node.request('dev_listSnapshots', []),
        // If they cannot be read, the node itself refuses a mode that is not possible.
        loadVoters(this.#node).catch(() => undefined),
        withStatus ? this.#status.read() : undefined,
      ]);
      this.#lists = {
        snapshots: list.toSorted((a, b) => b.takenMs - a.takenMs),
        voters,
        fault: null,
      };
    } catch (fault) {
      this.#lists = { ...this.#lists, fault: faultText(fault) };
    }
  }
}
