import type { BlockItem } from '../../../node/chain-view.svelte.ts';
import type { PageContext } from '../../../node/page-context.ts';
import type { BlockSummary } from './read-block.ts';

const kept = 600;

/**
 * Summaries of the listed blocks, each read when a row first needs it. The reader's code is loaded lazily.
 */
export class BlockSummaries {
  #context: Pick<PageContext, 'node' | 'metadata' | 'chain'>;
  #amount: (value: bigint) => string;
  #learn: (block: BlockItem) => void;
  #asked = new Set<string>();
  #summaries = $state.raw<ReadonlyMap<string, BlockSummary>>(new Map());

  /** `learn` is called with each block that was read, including its body. */
  constructor(
    context: Pick<PageContext, 'node' | 'metadata' | 'chain'>,
    amount: (value: bigint) => string,
    learn: (block: BlockItem) => void,
  ) {
    this.#context = context;
    this.#amount = amount;
    this.#learn = learn;
  }

  /** Null until it is read. */
  of(hash: string): BlockSummary | null {
    return this.#summaries.get(hash) ?? null;
  }

  want(hash: string): void {
    if (this.#asked.has(hash)) return;
    this.#asked.add(hash);
    void this.#read(hash).catch(() => this.#asked.delete(hash));
  }

  async #read(hash: string): Promise<void> {
    const block = await this.#context.chain.loadBlock(hash);
    if (block === null) return;
    this.#learn(block);
    const { readBlock } = await import('./read-block.ts');
    const summary = await readBlock(this.#context, block, this.#amount);
    this.#summaries = new Map([...this.#summaries, [hash, summary] as const].slice(-kept));
    for (const old of this.#asked)
      if (this.#asked.size > kept && !this.#summaries.has(old)) this.#asked.delete(old);
  }
}
