import type { ChainView } from '../../../node/chain-view.svelte.ts';
import { blocksPerLoad, type ChainTree } from './chain-tree.svelte.ts';
import type { BlockRow } from './list-rows.ts';

/** Gaps in view that load by themselves until the user scrolls: their blocks may fold into one row. */
const mostUnasked = 10;

/** Loads the blocks of gaps in the list, one gap at a time. */
export class GapLoads {
  #tree: ChainTree;
  #chain: ChainView;
  #unasked = { top: 0, count: 0 };
  /** Key of the gap whose blocks are being loaded. */
  busy = $state.raw<string | null>(null);
  fault = $state.raw<unknown>(null);

  constructor(tree: ChainTree, chain: ChainView) {
    this.#tree = tree;
    this.#chain = chain;
  }

  async load(gap: BlockRow): Promise<void> {
    if (this.busy !== null) return;
    this.busy = gap.key;
    this.fault = await this.#load(gap).catch((fault: unknown) => fault);
    this.busy = null;
  }

  /** Loads a gap that is in view while the list is scrolled to `top`. */
  loadSeen(gap: BlockRow, top: number): void {
    if (this.busy !== null || this.fault !== null || this.#chain.paused) return;
    const { top: before, count } = this.#unasked;
    this.#unasked = { top, count: before === top ? count + 1 : 1 };
    if (this.#unasked.count <= mostUnasked) void this.load(gap);
  }

  /** Resolves with null, or with why older blocks could not be loaded. */
  async #load({ span, lane }: BlockRow): Promise<unknown> {
    const isAbove = ({ lane: other, number }: { readonly lane: number; readonly number: number }) =>
      other === lane && number === span.high + 1;
    const above = lane > 0 && this.#tree.layout.blocks.find(isAbove);
    if (above) await this.#tree.include(above.parent, blocksPerLoad);
    else if (span.high !== (this.#chain.blocks.at(-1)?.number ?? 0) - 1) await this.#tree.load(span);
    else {
      await this.#chain.loadOlder();
      return this.#chain.olderFault;
    }
    return null;
  }
}
