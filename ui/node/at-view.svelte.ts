import type { RuntimeMeta } from '../../src/scale/types.ts';
import { isDiscarded } from '../kit/text/format.ts';
import { type At, loadAt } from './at-block.ts';
import { query } from './client/query.svelte.ts';
import type { PageContext } from './page-context.ts';

type Metadata = {
  /** Of the runtime in the state, which its runtime APIs use. */
  readonly code: RuntimeMeta;
  /** Of the runtime that executed the block, and so wrote the values in the state. */
  readonly written: RuntimeMeta;
};

/** One consistent state: a past block is never combined with another block's metadata. */
type Shown = {
  /** The block named in the URL; null for the best one. */
  readonly what: string | null;
  /** Null if the node does not have the block. */
  readonly at: At | null;
  /** Null for the best block, whose metadata is in `MetadataOfBlocks`, and if the metadata cannot be read. */
  readonly meta: Metadata | null;
  readonly metaFault: unknown;
};

/** The state shown by a panel, live or at the block named in the URL, and its runtime's metadata. */
export class AtView {
  #context: Pick<PageContext, 'node' | 'metadata' | 'route'>;
  #asked = query(
    () => this.what,
    (what) => this.#load(what),
  );

  constructor(context: Pick<PageContext, 'node' | 'metadata' | 'route'>) {
    this.#context = context;
  }

  /** The block named in the URL: a hash, a number, or null for the best block. */
  get what(): string | null {
    return this.#context.route.place.query.get('at') ?? null;
  }

  /**
   * What is shown: the best block immediately; for any other block, the previous state until that block is
   * fully loaded.
   */
  get #now(): Shown | null {
    const { latest } = this.#asked;
    return this.what === null && latest?.what !== null ? null : latest;
  }

  get #isBest(): boolean {
    return this.what === null || this.#asked.latest?.what === null;
  }

  /** The block shown; null until it is found. */
  get at(): At | null {
    return this.#now?.at ?? null;
  }

  /** Hash of the block; null for the best block. */
  get hash(): string | null {
    return this.#isBest ? null : (this.at?.hash ?? null);
  }

  /** Whether a different block than the one shown is loading. */
  get isReading(): boolean {
    const shown = this.#now;
    return shown !== null && shown.what !== this.what;
  }

  /** Of the runtime in this state, for its runtime APIs, constants and calls. Null until loaded. */
  get meta(): RuntimeMeta | null {
    return this.#isBest ? this.#context.metadata.best : (this.#now?.meta?.code ?? null);
  }

  /** Of the runtime that wrote the values in this state; null until loaded. */
  get written(): RuntimeMeta | null {
    return this.#isBest ? this.#context.metadata.written : (this.#now?.meta?.written ?? null);
  }

  /** The block named in the URL if the node does not have it, otherwise null. */
  get missing(): string | null {
    const { value } = this.#asked;
    return value?.at === null ? value.what : null;
  }

  /** Why its metadata cannot be read; values are then shown as bytes. */
  get metaFault(): unknown {
    return this.#isBest ? this.#context.metadata.fault : (this.#now?.metaFault ?? null);
  }

  /** Why this state cannot be loaded. */
  get fault(): unknown {
    return this.#asked.fault;
  }

  /** Reloads the same block. */
  again(): void {
    this.#asked.again();
  }

  async #load(what: string | null): Promise<Shown> {
    const { node, metadata } = this.#context;
    const at = await loadAt(node, what);
    if (at === null || what === null) return { what, at, meta: null, metaFault: null };
    try {
      const [code, written] = await Promise.all([metadata.at(at.hash), metadata.of(at.hash)]);
      return { what, at, meta: { code, written }, metaFault: null };
    } catch (metaFault) {
      // Without the state, there is nothing to show as bytes either.
      if (isDiscarded(metaFault)) throw metaFault;
      return { what, at, meta: null, metaFault };
    }
  }
}
