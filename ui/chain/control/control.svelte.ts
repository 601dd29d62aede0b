import type { NodeStatus } from '../../../src/index.ts';
import type { Answer, UiNode } from '../../client/ui-node.ts';
import { coalesce } from '../../page/coalesce.ts';
import { type Grandpa, loadVoters } from '../../state/consensus/read-grandpa.ts';
import { faultText } from '../../text/format.ts';

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
  #hear: (status: NodeStatus) => void;
  now = $state.raw<Modes>({
    snapshots: null,
    voters: undefined,
    inMemory: null,
    movedToMs: 0,
    fault: null,
  });

  /** `hear` is called with each status that is read. */
  constructor(node: UiNode, hear: (status: NodeStatus) => void) {
    this.#node = node;
    this.#hear = hear;
  }

  /**
   * Reads everything again. A read in progress may return older values, so it is followed by one more, which
   * all callers share.
   */
  readonly read = coalesce(() => this.#readOnce());

  async #readOnce(): Promise<void> {
    try {
      const status = await this.#node.status();
      // Before anything else is read: it may be old by then.
      this.#hear(status);
      const [list, voters] = await Promise.all([
        this.#node.request('dev_listSnapshots', []),
        // If they cannot be read, the node itself refuses a mode that is not possible.
        loadVoters(this.#node).catch(() => undefined),
      ]);
      this.now = {
        snapshots: list.toSorted((a, b) => b.takenMs - a.takenMs),
        voters,
        inMemory: status.storage === 'memory',
        movedToMs: status.clockMovedToMs,
        fault: null,
      };
    } catch (fault) {
      this.now = { ...this.now, fault: faultText(fault) };
    }
  }
}
