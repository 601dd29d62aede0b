import { createSubscriber } from 'svelte/reactivity';
import type { NodeStatus } from '../../src/index.ts';
import type { UiNode } from '../client/ui-node.ts';
import { throttle } from '../page/throttle.ts';
import { versionText } from '../text/format.ts';

const everyMs = 2000;
const restMs = 200;

type BlockRef = { readonly hash: string; readonly number: number };

type Facts = Pick<NodeStatus, 'ready' | 'future' | 'sealFault' | 'storageFault'> & {
  /** The block of the best chain whose state was edited last; null if there is none. */
  readonly edited: BlockRef | null;
  /** Name and version of the runtime; null until read. */
  readonly runtime: string | null;
};

/** The block of the best chain whose state was edited last; null if there is none. */
const findEdited = async (node: UiNode, { modified, edited }: NodeStatus): Promise<BlockRef | null> => {
  for (const hash of modified ? edited.toReversed() : []) {
    const header = await node.request('chain_getHeader', [hash]);
    const number = Number(header?.number);
    if (header !== null && (await node.request('chain_getBlockHash', [number])) === hash)
      return { hash, number };
  }
  return null;
};

/**
 * The facts that the top bar shows besides the blocks: pool, sealing faults and edits. Polled every
 * two seconds while they are read.
 */
export class NodeFacts {
  #node: UiNode;
  #hear: (status: NodeStatus) => void;
  #now = $state.raw<Facts>({
    ready: 0,
    future: 0,
    sealFault: null,
    storageFault: null,
    edited: null,
    runtime: null,
  });
  /** The status that `edited` was determined for. */
  #foundFor = '';
  #watch: () => void;
  /** Reads again soon: something has happened. */
  readonly refresh = throttle(() => void this.#read(), restMs);

  /** `hear` is called with each status that is read. */
  constructor(node: UiNode, hear: (status: NodeStatus) => void) {
    this.#node = node;
    this.#hear = hear;
    this.#watch = createSubscriber(() => {
      const timer = setInterval(this.refresh, everyMs);
      this.refresh();
      return () => clearInterval(timer);
    });
  }

  get now(): Facts {
    this.#watch();
    return this.#now;
  }

  async #read(): Promise<void> {
    try {
      const status = await this.#node.status();
      const { ready, future, sealFault, storageFault } = status;
      const runtime = versionText(status);
      this.#now = { ...this.#now, ready, future, sealFault, storageFault, runtime };
      this.#hear(status);
      const asked = `${status.bestHash} ${status.modified} ${status.edited}`;
      if (asked !== this.#foundFor) {
        const edited = await findEdited(this.#node, status);
        this.#now = { ...this.#now, edited };
      }
      this.#foundFor = asked;
    } catch {
      // A stopped node is reported elsewhere.
    }
  }
}
