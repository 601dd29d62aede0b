import type { RuntimeMeta } from '../meta/types.ts';
import { type At, loadAt } from './at-block.ts';
import type { Bench } from './bench.ts';

/** The state that a panel looks at, live or of the block that the address names, and the metadata of its runtime. */
export class AtView {
  #bench: Pick<Bench, 'node' | 'metas' | 'route'>;
  #at = $state.raw<At | null>(null);
  #oldMeta = $state.raw<RuntimeMeta | null>(null);
  #fault = $state.raw<unknown>(null);
  #missing = $state.raw<string | null>(null);
  #oldMetaFault = $state.raw<unknown>(null);

  constructor(bench: Pick<Bench, 'node' | 'metas' | 'route'>) {
    this.#bench = bench;
  }

  /** What the address names: a hash, a number, or null for the best block. */
  get what(): string | null {
    return this.#bench.route.place.query.get('at') ?? null;
  }

  /** The block; null until it is found. */
  get at(): At | null {
    return this.#at;
  }

  /** Hash of the block; null for the best one. */
  get hash(): string | null {
    return this.what === null ? null : (this.#at?.hash ?? null);
  }

  /** Null until it is read. */
  get meta(): RuntimeMeta | null {
    if (this.what === null) return this.#bench.metas.best;
    return this.#at === null ? null : this.#oldMeta;
  }

  /** What the address names, where the node has no such block. */
  get missing(): string | null {
    return this.#missing;
  }

  /** Why its metadata cannot be read: what is stored is then bytes. */
  get metaFault(): unknown {
    return this.what === null ? this.#bench.metas.fault : this.#oldMetaFault;
  }

  /** Why this state cannot be read. */
  get fault(): unknown {
    return this.#fault;
  }

  async #readOldMeta(hash: string): Promise<void> {
    try {
      this.#oldMeta = await this.#bench.metas.at(hash);
    } catch (fault) {
      if (this.#at?.hash === hash) this.#oldMetaFault = fault;
    }
  }

  /** Finds what the address names, and reads the metadata there. */
  async read(): Promise<void> {
    const wanted = this.what;
    const { node } = this.#bench;
    this.#fault = null;
    this.#missing = null;
    this.#oldMetaFault = null;
    try {
      const found = await loadAt(node, wanted);
      if (wanted !== this.what) return;
      this.#at = found;
      if (found === null) this.#missing = wanted;
      else if (wanted !== null) await this.#readOldMeta(found.hash);
    } catch (fault) {
      if (wanted === this.what) this.#fault = fault;
    }
  }
}
