import { coalesce } from '../../kit/page/coalesce.ts';
import { faultText } from '../../kit/text/format.ts';
import type { ChainView } from '../chain-view.svelte.ts';
import type { Answer, UiNode } from '../client/ui-node.ts';
import { loadExtrinsicHashes } from '../hashes.ts';

/** What a search reads. */
export type TxNode = Pick<UiNode, 'request' | 'offers'>;
export type TxChain = Pick<ChainView, 'loadBlock'>;

/** Where a transaction is. */
export type TxPlace =
  /** `hex`: null if it is not known. */
  | { readonly kind: 'pool'; readonly hex: string | null; readonly queue: 'ready' | 'future' }
  | {
      readonly kind: 'block';
      readonly block: string;
      readonly number: number;
      readonly index: number;
      /** Whether the block is on the best chain; otherwise it is on a fork. */
      readonly best: boolean;
    };

/** How many blocks one search goes back. */
export const searchDepth = 1000;
const batch = 20;

/**
 * Looks for a transaction by hash: in the pool (ready or future), then in `searchDepth` blocks per search
 * from the newest down, unfinalized forks included. A match on a fork is shown at once, and the search
 * continues on the best chain.
 */
export class TxSearch {
  readonly hash: string;
  #node: TxNode;
  #chain: TxChain;
  #hashesOf: typeof loadExtrinsicHashes;
  place = $state.raw<TxPlace | null>(null);
  /** Number of the last block of the best chain that contained it, or null. */
  lastNumber = $state.raw<number | null>(null);
  /** Number of blocks searched so far. */
  searched = $state.raw(0);
  /** Upper limit of `searched` for this search, earlier searches included. */
  total = $state.raw(0);
  /** Number of the block where the next search continues; null before the first search and once genesis was searched. */
  nextDown = $state.raw<number | null>(null);
  busy = $state.raw(false);
  fault = $state.raw<string | null>(null);
  /** Whether the pool and the newest blocks were searched, so that null as the place means that it is in neither. */
  isSearched = $state.raw(false);
  #seenTop = -1;
  /** Number of the newest best block that was reported; -1 for none. */
  #best = -1;
  #stop: AbortController | null = null;

  constructor(node: TxNode, chain: TxChain, hash: string, hashesOf = loadExtrinsicHashes) {
    this.#node = node;
    this.#chain = chain;
    this.#hashesOf = hashesOf;
    this.hash = hash.toLowerCase();
  }

  /** Searches the pool, then up to `searchDepth` blocks, continuing where the last search ended. */
  async search(): Promise<void> {
    if (this.busy) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.busy = true;
    this.fault = null;
    try {
      // The page's best block lags behind while many blocks arrive.
      const best = await this.#bestNumber();
      this.#seenTop = Math.max(this.#seenTop, best);
      if (await this.#lookInPool()) {
        this.isSearched = true;
        return;
      }
      let high = this.nextDown ?? best;
      // A search that is stopped before its first block continues there.
      this.nextDown = high;
      const floor = Math.max(0, high - searchDepth + 1);
      this.total = this.searched + high - floor + 1;
      while (high >= floor && !stop.signal.aborted && !this.#isDone()) {
        const low = Math.max(floor, high - batch + 1);
        await this.#lookInBlocks(high, low);
        this.searched += high - low + 1;
        high = low - 1;
        this.nextDown = high < 0 ? null : high;
      }
      this.isSearched = !stop.signal.aborted;
    } catch (fault) {
      this.fault = faultText(fault);
    } finally {
      this.busy = false;
    }
    if (this.#best > this.#seenTop) await this.#followSoon();
  }

  stop(): void {
    this.#stop?.abort();
  }

  /**
   * Handles a new best block: checks whether a found transaction is still on the best chain; if not, searches
   * the new blocks and the pool. Blocks are handled one after another, so that a late answer about an earlier one
   * does not replace what is known of a later one.
   */
  follow(best: number): Promise<void> {
    this.#best = best;
    return this.#followSoon();
  }

  #followSoon = coalesce(() => this.#followBest());

  async #followBest(): Promise<void> {
    const best = this.#best;
    try {
      const place = this.place;
      if (place?.kind === 'block') {
        const now = await this.#node.request('chain_getBlockHash', [place.number]);
        const isBest = now === place.block;
        if (isBest !== place.best) {
          this.#setPlace({ ...place, best: isBest });
          if (!isBest) this.#seenTop = Math.min(this.#seenTop, place.number - 1);
        }
        if (isBest) return;
      }
      // The search looks at the new blocks when it has ended.
      if (this.busy) return;
      const low = Math.max(0, this.#seenTop + 1, best - searchDepth);
      if (best >= low) await this.#lookInBlocks(best, low);
      this.#seenTop = best;
      if (this.place?.kind !== 'block' || !this.place.best) await this.#lookInPool();
      if (this.isSearched) this.fault = null;
    } catch (fault) {
      this.fault = faultText(fault);
    }
  }

  #isDone(): boolean {
    return this.place?.kind === 'pool' || (this.place?.kind === 'block' && this.place.best);
  }

  async #bestNumber(): Promise<number> {
    return Number((await this.#node.request('chain_getHeader', []))?.number);
  }

  /** The queues of the pool; only the ready one if the node refuses `dev_pool`. */
  async #loadPool(): Promise<
    Readonly<
      Record<'ready' | 'future', readonly Pick<Answer<'dev_pool'>['ready'][number], 'hash' | 'extrinsic'>[]>
    >
  > {
    try {
      return await this.#node.request('dev_pool', []);
    } catch {
      const pending = await this.#node.request('author_pendingExtrinsics', []);
      const hashes = await loadExtrinsicHashes(pending);
      return {
        ready: pending.map((extrinsic, index) => ({ extrinsic, hash: hashes[index] ?? '' })),
        future: [],
      };
    }
  }

  async #lookInPool(): Promise<boolean> {
    const pool = await this.#loadPool();
    for (const queue of ['ready', 'future'] as const) {
      const found = pool[queue].find(({ hash }) => hash === this.hash);
      if (found === undefined) continue;
      this.place = { kind: 'pool', hex: found.extrinsic, queue };
      return true;
    }
    if (this.place?.kind === 'pool') this.place = null;
    return false;
  }

  /** Searches the best chain at these heights, then the forks above the finalized block. */
  async #lookInBlocks(high: number, low: number): Promise<void> {
    const numbers = Array.from({ length: high - low + 1 }, (_, index) => high - index);
    const best = [await this.#node.request('chain_getBlockHash', [numbers])].flat();
    await this.#look(
      best.filter((hash) => hash !== null),
      true,
    );
    if (this.place?.kind === 'block' && this.place.best) return;
    if (!this.#node.offers('archive_v1_hashByHeight')) return;
    const finalized = Number(await this.#node.request('archive_v1_finalizedHeight', []));
    const forked = numbers.filter((number) => number > finalized);
    const forks = await Promise.all(
      forked.map((height) => this.#node.request('archive_v1_hashByHeight', [height])),
    );
    await this.#look(
      forks.flat().filter((hash) => !best.includes(hash)),
      false,
    );
  }

  async #look(hashes: readonly string[], isBest: boolean): Promise<void> {
    // A transaction that returned to the pool is shown there, not on the fork that it left.
    if (!isBest && this.place?.kind === 'pool') return;
    const blocks = await Promise.all(hashes.map((hash) => this.#chain.loadBlock(hash)));
    for (const block of blocks) {
      if (block === null) continue;
      const index = (await this.#hashesOf(block.extrinsics)).indexOf(this.hash);
      if (index < 0 || (this.place?.kind === 'block' && this.place.block === block.hash)) continue;
      this.#setPlace({ kind: 'block', block: block.hash, number: block.number, index, best: isBest });
      return;
    }
  }

  #setPlace(place: Extract<TxPlace, { kind: 'block' }>): void {
    this.place = place;
    if (place.best) this.lastNumber = place.number;
  }
}
