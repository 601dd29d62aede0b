import type { ChainTree } from './chain-tree.svelte.ts';
import type { GraphRow } from './graph-rows.ts';

/** Loads the blocks of one gap of the list at a time. */
export class GapLoad {
  #tree: Pick<ChainTree, 'load'>;
  #key = $state.raw<string | null>(null);
  #fault = $state.raw<unknown>(null);

  constructor(tree: Pick<ChainTree, 'load'>) {
    this.#tree = tree;
  }

  /** Key of the gap whose blocks are being read. */
  get key(): string | null {
    return this.#key;
  }

  /** Why the last blocks that were asked for did not come. */
  get fault(): unknown {
    return this.#fault;
  }

  async load({ key, span }: GraphRow): Promise<void> {
    if (this.#key !== null) return;
    this.#key = key;
    this.#fault = null;
    try {
      await this.#tree.load(span);
    } catch (fault) {
      this.#fault = fault;
    }
    this.#key = null;
  }
}
