import { createSubscriber } from 'svelte/reactivity';
import type { NodeStatus } from '../../src/index.ts';
import { createRest } from '../state/pace.ts';
import type { UiNode } from '../state/ui-node.ts';

const everyMs = 2000;
const restMs = 200;

type BlockRef = { readonly hash: string; readonly number: number };

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
 * The facts that the top bar shows besides the blocks: pool, storage, sealing faults and edits. Polled every
 * two seconds while they are read.
 */
export class NodeFacts {
  #node: UiNode;
  #hear: (status: NodeStatus) => void;
  #ready = $state(0);
  #future = $state(0);
  #sealFault = $state.raw<NodeStatus['sealFault']>(null);
  #storedBytes = $state.raw<number | null>(null);
  #edited = $state.raw<BlockRef | null>(null);
  /** The status that `#edited` was determined for. */
  #foundFor = '';
  #watch: () => void;
  /** Reads again soon: something has happened. */
  readonly refresh = createRest(() => void this.#read(), restMs);

  /** `hear` is called with each status that is read. */
  constructor(node: UiNode, hear: (status: NodeStatus) => void = () => undefined) {
    this.#node = node;
    this.#hear = hear;
    this.#watch = createSubscriber(() => {
      const timer = setInterval(this.refresh, everyMs);
      this.refresh();
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

  /** Why the seal mode produces no blocks; null while it does. */
  get sealFault(): NodeStatus['sealFault'] {
    this.#watch();
    return this.#sealFault;
  }

  /** Bytes stored by this origin, all chains together; null if the browser does not report it. */
  get storedBytes(): number | null {
    this.#watch();
    return this.#storedBytes;
  }

  /** The block of the best chain whose state was edited last; null if there is none. */
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
      // A stopped node is reported elsewhere.
    }
  }
}
