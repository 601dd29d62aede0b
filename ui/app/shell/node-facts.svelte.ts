import type { NodeStatus } from '../../../src/index.ts';
import { attempt, versionText } from '../../kit/text/format.ts';
import { query } from '../../node/client/query.svelte.ts';
import type { UiNode } from '../../node/client/ui-node.ts';
import type { SharedStatus } from '../../node/node-status.svelte.ts';

type BlockRef = { readonly hash: string; readonly number: number };

type Facts = Pick<NodeStatus, 'ready' | 'future' | 'sealFault' | 'storageFault'> & {
  /** The block of the best chain whose state was edited last; null if there is none. */
  readonly edited: BlockRef | null;
  /** Name and version of the runtime; null until read. */
  readonly runtime: string | null;
};

const unread: Facts = {
  ready: 0,
  future: 0,
  sealFault: null,
  storageFault: null,
  edited: null,
  runtime: null,
};

/** The facts that the top bar shows besides the blocks: pool, sealing faults and edits. */
export class NodeFacts {
  #node: UiNode;
  #status: SharedStatus;
  /** Numbers of blocks by hash, which never change. */
  #numbers = new Map<string, number>();
  #edited = query(
    () => {
      const status = this.#status.now;
      return status === null ? undefined : `${status.bestHash} ${status.modified} ${status.edited}`;
    },
    async () => this.#findEdited(),
  );

  constructor(node: UiNode, status: SharedStatus) {
    this.#node = node;
    this.#status = status;
  }

  readonly refresh = (): void => this.#status.refresh();

  get now(): Facts {
    const status = this.#status.now;
    if (status === null) return unread;
    const { ready, future, sealFault, storageFault } = status;
    // What was found for the block before stays until it is known for this one.
    const edited = this.#edited.latest?.block ?? null;
    // The status of another node may lack what this page knows of.
    const runtime = attempt(() => versionText(status)).value;
    return { ready, future, sealFault, storageFault, edited, runtime };
  }

  /** The block of the best chain whose state was edited last; null if there is none. */
  async #findEdited(): Promise<{ readonly block: BlockRef | null }> {
    const { modified = false, edited = [] } = this.#status.last ?? {};
    if (!modified || edited.length === 0) return { block: null };
    const numbers = (await Promise.all(edited.map((hash) => this.#numberOf(hash)))).map((one) => one ?? 0);
    const canonical = [await this.#node.request('chain_getBlockHash', [numbers])].flat();
    const at = edited.findLastIndex((hash, index) => canonical[index] === hash);
    const hash = edited[at];
    return { block: hash === undefined ? null : { hash, number: numbers[at] ?? 0 } };
  }

  async #numberOf(hash: string): Promise<number | null> {
    const known = this.#numbers.get(hash);
    if (known !== undefined) return known;
    const header = await this.#node.request('chain_getHeader', [hash]);
    if (header === null) return null;
    this.#numbers.set(hash, Number(header.number));
    return Number(header.number);
  }
}
