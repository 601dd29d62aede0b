import { createSubscriber } from 'svelte/reactivity';
import type { NodeStatus } from '../../src/index.ts';
import type { UiNode } from '../state/ui-node.ts';

const everyMs = 2000;

type BlockRef = { readonly hash: string; readonly number: number };

/** The block of the best chain whose state was edited last; null where it has none. */
const findEdited = async (node: UiNode, { modified, edited }: NodeStatus): Promise<BlockRef | null> => {
  for (const hash of modified ? edited.toReversed() : []) {
    const header = await node.request('chain_getHeader', [hash]);
    const number = Number(header?.number);
    if (header !== null && (await node.request('chain_getBlockHash', [number])) === hash)
      return { hash, number };
  }
  return null;
};

/** What the bar says beside the blocks: pool and storage; asked for now and then while it is shown. */
export class NodeFacts {
  #node: UiNode;
  #hear: (status: NodeStatus) => void;
  #ready = $state(0);
  #future = $state(0);
  #sealFault = $state.raw<NodeStatus['sealFault']>(null);
  #storedBytes = $state.raw<number | null>(null);
  #edited = $state.raw<BlockRef | null>(null);
  /** What `#edited` was found for. */
  #foundFor = '';
  #watch: () => void;

  /** `hear` is told each status that is read. */
  constructor(node: UiNode, hear: (status: NodeStatus) => void = () => undefined) {
    this.#node = node;
    this.#hear = hear;
    this.#watch = createSubscriber(() => {
      const timer = setInterval(() => void this.#read(), everyMs);
      void this.#read();
      return () => clearInterval(timer);
    });
  }

  get ready(): number {
    this.#watch();
    return this.#ready;
  }

  get future(): number {
    this.#watch();
    return this.#future;
  }

  /** Why the seal mode goes on without a block; null while it has them. */
  get sealFault(): NodeStatus['sealFault'] {
    this.#watch();
    return this.#sealFault;
  }

  /** Of all chains of this origin; null where the browser does not tell. */
  get storedBytes(): number | null {
    this.#watch();
    return this.#storedBytes;
  }

  /** The block of the best chain whose state was edited last. */
  get edited(): BlockRef | null {
    this.#watch();
    return this.#edited;
  }

  async #read(): Promise<void> {
    try {
      const status = await this.#node.status();
      this.#ready = status.ready;
      this.#future = status.future;
      this.#sealFault = status.sealFault;
      this.#hear(status);
      const asked = `${status.bestHash} ${status.modified} ${status.edited}`;
      if (asked !== this.#foundFor) this.#edited = await findEdited(this.#node, status);
      this.#foundFor = asked;
      this.#storedBytes = (await navigator.storage?.estimate?.())?.usage ?? null;
    } catch {
      // A node that has just ended says so elsewhere.
    }
  }
}
