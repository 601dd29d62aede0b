import { loadHash } from './at-block.ts';
import type { BlockItem, ChainView } from './chain-view.svelte.ts';
import type { UiNode } from './client/ui-node.ts';
import { loadExtrinsicHashes } from './hashes.ts';

/** Storage key of Timestamp::Now, the same on every FRAME chain with pallet-timestamp. */
const timestampNow = '0xf0c365c3cf59d671eb72da0e7a4113c49f1f0515f462cdcf84e0f1d6045dfcbb';

/** State of the detail pane. */
export type Picked =
  | { readonly kind: 'none' }
  | { readonly kind: 'loading'; readonly what: string }
  | { readonly kind: 'missing'; readonly what: string }
  | { readonly kind: 'failed'; readonly what: string; readonly fault: unknown }
  | {
      readonly kind: 'block';
      readonly block: BlockItem;
      readonly timeMs: number | null;
      readonly hashes: readonly string[];
    };

/** The number of a u64 in storage; null if there is none. */
const readMs = (hex: string | null): number | null =>
  hex?.length === 18
    ? Number.parseInt(hex.slice(2).match(/../g)?.reverse().join('') ?? '', 16) || null
    : null;

/** The selected block, by hash or number. */
export class BlockPick {
  #node: UiNode;
  #chain: ChainView;
  #picked = $state.raw<Picked>({ kind: 'none' });
  #wanted = '';

  constructor(node: UiNode, chain: ChainView) {
    this.#node = node;
    this.#chain = chain;
  }

  get picked(): Picked {
    return this.#picked;
  }

  get hash(): string | null {
    return this.#picked.kind === 'block' ? this.#picked.block.hash : null;
  }

  clear(): void {
    this.#wanted = '';
    this.#picked = { kind: 'none' };
  }

  /** Selects the block with this hash or number; the latest call wins. */
  async pick(what: string): Promise<void> {
    if (what === this.#wanted && this.#picked.kind === 'block') return;
    this.#wanted = what;
    if (this.#picked.kind !== 'block') this.#picked = { kind: 'loading', what };
    const found = await this.#load(what);
    if (this.#wanted === what) this.#picked = found;
  }

  /** Retries a block that was missing or failed to load; it may exist by now. */
  async retry(): Promise<void> {
    const picked = this.#picked;
    if (picked.kind !== 'missing' && picked.kind !== 'failed') return;
    const found = await this.#load(picked.what);
    if (this.#picked === picked) this.#picked = found;
  }

  async #load(what: string): Promise<Picked> {
    try {
      return (await this.#find(what)) ?? { kind: 'missing', what };
    } catch (fault) {
      return { kind: 'failed', what, fault };
    }
  }

  async #find(what: string): Promise<Picked | null> {
    const hash = await loadHash(this.#node, what);
    const block = hash === null ? null : await this.#chain.loadBlock(hash);
    if (!block) return null;
    const [time, hashes] = await Promise.all([
      this.#node.request('state_getStorage', [timestampNow, block.hash]).catch(() => null),
      loadExtrinsicHashes(block.extrinsics),
    ]);
    return { kind: 'block', block, timeMs: readMs(time), hashes };
  }
}
