import type { ChainView } from '../state/chain-view.svelte.ts';
import { faultText } from '../state/format.ts';
import { loadExtrinsicHashes } from '../state/hashes.ts';
import type { UiNode } from '../state/ui-node.ts';

/** Where a transaction is. */
export type TxPlace =
  | { readonly kind: 'pool'; readonly hex: string }
  | { readonly kind: 'block'; readonly block: string; readonly number: number; readonly index: number };

/** Something that happened to it while this page looked on. */
export type TxStep = { readonly atMs: number; readonly text: string };

/** How many blocks one search goes back. */
export const searchDepth = 1000;
const batch = 20;

/** Looks for a transaction by hash: in the pool, then in the best chain's blocks from the newest down. */
export class TxSearch {
  readonly hash: string;
  #node: UiNode;
  #chain: ChainView;
  #place = $state.raw<TxPlace | null>(null);
  #steps = $state.raw<readonly TxStep[]>([]);
  #searched = $state.raw(0);
  #nextDown = $state.raw<number | null>(null);
  #busy = $state.raw(false);
  #fault = $state.raw<string | null>(null);
  #seenTop = -1;
  #stop: AbortController | null = null;

  constructor(node: UiNode, chain: ChainView, hash: string) {
    this.#node = node;
    this.#chain = chain;
    this.hash = hash.toLowerCase();
  }

  get place(): TxPlace | null {
    return this.#place;
  }

  /** Oldest first. */
  get steps(): readonly TxStep[] {
    return this.#steps;
  }

  /** Blocks looked through so far. */
  get searched(): number {
    return this.#searched;
  }

  get busy(): boolean {
    return this.#busy;
  }

  /** The next block a longer search would look in; null when genesis was reached. */
  get nextDown(): number | null {
    return this.#nextDown;
  }

  get fault(): string | null {
    return this.#fault;
  }

  /** Looks again from where the last search ended, `searchDepth` blocks further. */
  async search(): Promise<void> {
    if (this.#busy) return;
    const stop = new AbortController();
    this.#stop = stop;
    this.#busy = true;
    this.#fault = null;
    try {
      const best = this.#chain.best?.number ?? (await this.#bestNumber());
      this.#seenTop = Math.max(this.#seenTop, best);
      if (await this.#lookInPool()) return;
      let high = this.#nextDown ?? best;
      const floor = Math.max(0, high - searchDepth + 1);
      while (high >= floor && !stop.signal.aborted && this.#place === null) {
        const low = Math.max(floor, high - batch + 1);
        await this.#lookInBlocks(high, low);
        this.#searched += high - low + 1;
        high = low - 1;
        this.#nextDown = high < 0 ? null : high;
      }
    } catch (fault) {
      this.#fault = faultText(fault);
    } finally {
      this.#busy = false;
    }
  }

  stop(): void {
    this.#stop?.abort();
  }

  /** A new best block came: is it there, is it still there, is it final? */
  async follow(best: number): Promise<void> {
    try {
      const place = this.#place;
      if (place?.kind === 'block') {
        const now = (await this.#node.request('chain_getBlockHash', [place.number])) as string | null;
        if (now === place.block) return;
        this.#say(`block #${place.number} left the best chain`);
        this.#place = null;
        this.#seenTop = Math.min(this.#seenTop, place.number - 1);
      }
      if (this.#busy && this.#place === null) return;
      const low = Math.max(0, this.#seenTop + 1, best - searchDepth);
      this.#seenTop = best;
      if (best >= low) await this.#lookInBlocks(best, low);
      if (this.#place?.kind !== 'block') await this.#lookInPool();
    } catch (fault) {
      this.#fault = faultText(fault);
    }
  }

  async #bestNumber(): Promise<number> {
    return Number(((await this.#node.request('chain_getHeader', [])) as { readonly number: string }).number);
  }

  async #lookInPool(): Promise<boolean> {
    const pending = (await this.#node.request('author_pendingExtrinsics', [])) as readonly string[];
    const hex = pending[(await loadExtrinsicHashes(pending)).indexOf(this.hash)];
    if (hex === undefined) {
      if (this.#place?.kind === 'pool') {
        this.#say('left the pool');
        this.#place = null;
      }
      return false;
    }
    if (this.#place?.kind !== 'pool') this.#say('ready in the pool');
    this.#place = { kind: 'pool', hex };
    return true;
  }

  async #lookInBlocks(high: number, low: number): Promise<void> {
    const numbers = Array.from({ length: high - low + 1 }, (_, index) => high - index);
    const hashes = (await this.#node.request('chain_getBlockHash', [numbers])) as readonly (string | null)[];
    const blocks = await Promise.all(
      hashes.map((hash) => (hash === null ? null : this.#chain.loadBlock(hash))),
    );
    for (const block of blocks) {
      if (block === null) continue;
      const index = (await loadExtrinsicHashes(block.extrinsics)).indexOf(this.hash);
      if (index < 0) continue;
      this.#place = { kind: 'block', block: block.hash, number: block.number, index };
      this.#say(`in block #${block.number}`);
      return;
    }
  }

  #say(text: string): void {
    this.#steps = [...this.#steps, { atMs: Date.now(), text }].slice(-50);
  }
}
