import type { RuntimeMeta } from '../meta/types.ts';
import { type At, loadAt } from './at-block.ts';
import type { Bench } from './bench.ts';
import { query } from './query.svelte.ts';

/** One state, whole: a block of the past never stands beside the metadata of another one. */
type Shown = {
  /** What the address named. */
  readonly what: string | null;
  /** Null where the node has no such block. */
  readonly at: At | null;
  /** Null for the best block, whose metadata `Metas` has, and where it cannot be read. */
  readonly meta: RuntimeMeta | null;
  readonly metaFault: unknown;
};

/** The state that a panel looks at, live or of the block that the address names, and the metadata of its runtime. */
export class AtView {
  #bench: Pick<Bench, 'node' | 'metas' | 'route'>;
  #asked = query(
    () => this.what,
    (what) => this.#load(what),
  );

  constructor(bench: Pick<Bench, 'node' | 'metas' | 'route'>) {
    this.#bench = bench;
  }

  /** What the address names: a hash, a number, or null for the best block. */
  get what(): string | null {
    return this.#bench.route.place.query.get('at') ?? null;
  }

  /** What is shown. The best block is so at once; for another one the state before stays until that one is read whole. */
  get #now(): Shown | null {
    const { latest } = this.#asked;
    return this.what === null && latest?.what !== null ? null : latest;
  }

  get #isBest(): boolean {
    return this.what === null || this.#asked.latest?.what === null;
  }

  /** The block that is shown; null until it is found. */
  get at(): At | null {
    return this.#now?.at ?? null;
  }

  /** Hash of the block; null for the best one. */
  get hash(): string | null {
    return this.#isBest ? null : (this.at?.hash ?? null);
  }

  /** Whether another block is on its way than the one that is shown. */
  get isReading(): boolean {
    const shown = this.#now;
    return shown !== null && shown.what !== this.what;
  }

  /** Null until it is read. */
  get meta(): RuntimeMeta | null {
    return this.#isBest ? this.#bench.metas.best : (this.#now?.meta ?? null);
  }

  /** What the address names, where the node has no such block. */
  get missing(): string | null {
    const { value } = this.#asked;
    return value?.at === null ? value.what : null;
  }

  /** Why its metadata cannot be read: what is stored is then bytes. */
  get metaFault(): unknown {
    return this.#isBest ? this.#bench.metas.fault : (this.#now?.metaFault ?? null);
  }

  /** Why this state cannot be read. */
  get fault(): unknown {
    return this.#asked.fault;
  }

  /** Reads the same block again. */
  again(): void {
    this.#asked.again();
  }

  async #load(what: string | null): Promise<Shown> {
    const { node, metas } = this.#bench;
    const at = await loadAt(node, what);
    if (at === null || what === null) return { what, at, meta: null, metaFault: null };
    try {
      return { what, at, meta: await metas.at(at.hash), metaFault: null };
    } catch (metaFault) {
      return { what, at, meta: null, metaFault };
    }
  }
}
