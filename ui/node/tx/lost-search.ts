import { coalesce } from '../../kit/page/coalesce.ts';
import type { ChainView } from '../chain-view.svelte.ts';
import type { UiNode } from '../client/ui-node.ts';
import type { SentItem } from './sent-item.ts';
import { shareReads } from './shared-reads.ts';
import { TxSearch } from './tx-search.svelte.ts';
import { expired, notIncluded, unknown } from './tx-status.ts';

/** For how many blocks a transaction without an era is searched. */
export const immortalBlocks = 256;

/** The part of the chain's state that a search needs. */
export type SearchedChain = Pick<ChainView, 'best' | 'finalized' | 'loadBlock'>;

/** The list of transactions that are searched for. */
type List = {
  readonly items: () => readonly SentItem[];
  /** Records a status, as the node would report it. */
  readonly take: (id: string, status: unknown) => void;
  readonly change: (id: string, change: Partial<SentItem>) => void;
};

type SharedReads = ReturnType<typeof shareReads>;
type Search = { readonly of: TxSearch; readonly from: number };

/**
 * Whether no further block can include a transaction that was not found from the block `from` on: its era has ended,
 * or as many blocks have passed as it lasts, which happens on a chain that was reset.
 */
export const isOver = ({ era }: SentItem, from: number, best: number): boolean => {
  const blocks = era === undefined ? immortalBlocks : era.until - era.birth;
  return best - from > blocks || best > (era?.until ?? Number.POSITIVE_INFINITY);
};

/** The status of a transaction whose search is over. */
export const endName = ({ era }: SentItem): string => (era === undefined ? notIncluded : expired);

/**
 * Searches for transactions that nobody watches: once when they are first seen, then in each new block, until they are
 * final or can no longer be included. All of them share their requests, so that a block costs the same for any number.
 */
export class LostSearch {
  #list: List;
  #node: Pick<UiNode, 'request' | 'offers'>;
  #shared: SharedReads | null = null;
  #chain: SearchedChain | null = null;
  #searches = new Map<string, Search>();

  constructor(node: Pick<UiNode, 'request' | 'offers'>, list: List) {
    this.#node = node;
    this.#list = list;
  }

  /** Searches after a change of the chain; without an argument, on the chain of the last time. */
  async follow(chain: SearchedChain | null = this.#chain): Promise<void> {
    if (chain === null) return;
    if (chain !== this.#chain) {
      this.#shared = shareReads(this.#node, chain);
      this.#searches.clear();
    }
    this.#chain = chain;
    await this.#round();
  }

  #round = coalesce(async () => {
    const [chain, shared] = [this.#chain, this.#shared];
    if (chain === null || shared === null) return;
    shared.forget();
    const settled = await this.#checkPlaced();
    for (const item of this.#list.items().filter(({ lost }) => lost)) {
      const known = settled.has(item.id) ? this.#searches.get(item.id) : undefined;
      const search = known ?? (await this.#search(shared, item, chain.best?.number ?? 0));
      this.#record(item, chain, search);
    }
    shared.forget();
    const known = new Set(this.#list.items().flatMap(({ id, lost }) => (lost ? [id] : [])));
    for (const id of this.#searches.keys()) if (!known.has(id)) this.#searches.delete(id);
  });

  /**
   * Looks again for transactions whose finalized block has left the chain, for example after a rollback or a reset.
   * If a block is still there, so are those below it. Returns the ids of those that are where they were.
   */
  async #checkPlaced(): Promise<ReadonlySet<string>> {
    const placed = this.#list
      .items()
      .flatMap(({ id, block, lost, steps }) => {
        const isFinal = !lost && steps.at(-1)?.name === 'finalized';
        return block !== null && (lost || isFinal) ? [{ id, isFinal, ...block }] : [];
      })
      .sort((a, b) => b.number - a.number);
    for (const [index, { id, isFinal, number, hash }] of placed.entries()) {
      // A node that does not answer does not say that the block is gone.
      const now = await this.#node.request('chain_getBlockHash', [number]).catch(() => hash);
      if (now === hash) return new Set(placed.slice(index).map((one) => one.id));
      const gone = { block: null, leftNumber: number, events: [], outcome: null };
      if (isFinal) this.#list.change(id, { lost: true, open: true, ...gone });
    }
    return new Set();
  }

  async #search(shared: SharedReads, { id, hash }: SentItem, best: number): Promise<Search> {
    const known = this.#searches.get(id);
    if (known !== undefined) {
      await known.of.follow(best);
      return known;
    }
    const search = { of: new TxSearch(shared.node, shared.chain, hash, shared.hashesOf), from: best };
    await search.of.search();
    // One that failed begins anew with the next block.
    if (search.of.fault === null) this.#searches.set(id, search);
    return search;
  }

  #record(item: SentItem, { best, finalized }: SearchedChain, { of: search, from }: Search): void {
    const { id } = item;
    const { place, fault } = search;
    const isFinal = place?.kind === 'block' && place.best && place.number <= finalized;
    const isEnded = place === null && fault === null && isOver(item, from, best?.number ?? 0);
    const name =
      place === null
        ? fault !== null
          ? unknown
          : isEnded
            ? endName(item)
            : notIncluded
        : place.kind === 'pool'
          ? place.queue
          : isFinal
            ? 'finalized'
            : 'inBlock';
    const hash = place?.kind === 'block' ? place.block : null;
    const last = this.#list
      .items()
      .find((one) => one.id === id)
      ?.steps.at(-1);
    if (last?.name !== name || last.hash !== hash)
      this.#list.take(id, hash === null ? name : { [name]: hash });
    if (isEnded) this.#list.change(id, { open: false, lost: false });
    const leftNumber = search.lastNumber ?? item.leftNumber;
    if (place?.kind === 'block') {
      const { block: hash, number, index, best } = place;
      this.#list.change(id, { leftNumber, block: { hash, number, index, best } });
    } else if (place !== null) this.#list.change(id, { leftNumber, hex: place.hex });
  }
}
