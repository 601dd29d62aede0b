import type { Bench } from '../state/bench.ts';
import type { BlockSay } from './read-block.ts';

const kept = 600;

/** What the blocks of the list say: read when a row first shows one, by code that loads with the first. */
export class BlockWords {
  #bench: Pick<Bench, 'node' | 'metas' | 'chain'>;
  #amount: (value: bigint) => string;
  #asked = new Set<string>();
  #said = $state.raw<ReadonlyMap<string, BlockSay>>(new Map());

  constructor(bench: Pick<Bench, 'node' | 'metas' | 'chain'>, amount: (value: bigint) => string) {
    this.#bench = bench;
    this.#amount = amount;
  }

  /** Null until it is read. */
  of(hash: string): BlockSay | null {
    return this.#said.get(hash) ?? null;
  }

  want(hash: string): void {
    if (this.#asked.has(hash)) return;
    this.#asked.add(hash);
    void this.#read(hash).catch(() => this.#asked.delete(hash));
  }

  async #read(hash: string): Promise<void> {
    const { readBlock } = await import('./read-block.ts');
    const said = await readBlock(this.#bench, hash, this.#amount);
    if (said === null) return;
    this.#said = new Map([...this.#said, [hash, said] as const].slice(-kept));
    for (const old of this.#asked)
      if (this.#asked.size > kept && !this.#said.has(old)) this.#asked.delete(old);
  }
}
