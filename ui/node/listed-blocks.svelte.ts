import { createSubscriber } from 'svelte/reactivity';
import {
  type BlockItem,
  extendTo,
  joinBelow,
  type ListedBlock,
  loadItem,
  loadRange,
  pageSize,
} from './block-range.ts';
import type { UiNode } from './client/ui-node.ts';

export type BlockRef = { readonly number: number; readonly hash: string };

/** What the list showed when it was paused. */
type Frozen = { readonly blocks: readonly ListedBlock[]; readonly finalized: number; readonly best: number };

/**
 * A list shows at least so many of its newest blocks, and is narrowed to them when it has grown to `mostShown`: laying out
 * all that are kept would take tens of milliseconds with each block.
 */
const leastShown = 400;
const mostShown = 600;

/**
 * The listed blocks of the best chain, and those that a pause keeps. Of a long list, only the newest blocks are shown
 * until older ones are wanted.
 */
export abstract class ListedBlocks {
  /** Brings the list up to the best block. */
  abstract readonly sync: () => Promise<void>;
  /** Follows the heads while something reads them. */
  protected abstract watch: () => void;
  protected node: UiNode;
  /** The current best chain, newest first. */
  protected live = $state.raw<readonly ListedBlock[]>([]);
  /** The lowest height that is shown. */
  #floor = $state.raw(0);
  /** The best block. */
  protected top = $state.raw<BlockRef | null>(null);
  protected frozen = $state.raw<Frozen | null>(null);
  protected shown = $derived(this.#over(this.frozen?.blocks ?? this.live));
  /** Whether something shows the list. */
  protected isListed = false;
  /** Whether the list was up to date; blocks that arrive afterwards are fresh. */
  protected follows = false;
  #olderFault = $state.raw<unknown>(null);
  #watchBlocks = createSubscriber(() => {
    this.isListed = true;
    void this.sync();
    return () => {
      this.isListed = false;
      this.follows = false;
    };
  });

  constructor(node: UiNode) {
    this.node = node;
  }

  /** Newest first; frozen while paused. */
  get blocks(): readonly ListedBlock[] {
    this.watch();
    this.#watchBlocks();
    return this.shown;
  }

  /** The current best chain down to the lowest height that is shown, even while the list is paused. */
  get liveBlocks(): readonly ListedBlock[] {
    return this.#over(this.keptBlocks);
  }

  /** The current best chain as far as it is kept, even while the list is paused. */
  get keptBlocks(): readonly ListedBlock[] {
    this.watch();
    this.#watchBlocks();
    return this.live;
  }

  /** The lowest height that is shown; after a jump back, the newest blocks are. */
  get floor(): number {
    return Math.min(this.#floor, Math.max(0, (this.live[0]?.number ?? 0) - leastShown));
  }

  /** Whether the current best chain, as far as it is kept, contains this block. */
  keeps({ hash, number }: BlockRef): boolean {
    return this.listedAt(number)?.hash === hash;
  }

  /** Shows only the newest blocks again, if they are many; returns whether some were hidden. */
  narrow(): boolean {
    const top = this.shown[0];
    if (top === undefined || this.shown.length < mostShown) return false;
    this.#floor = top.number - leastShown;
    return true;
  }

  /** The blocks of a list that are not below the floor. */
  #over(list: readonly ListedBlock[]): readonly ListedBlock[] {
    const count = (list[0]?.number ?? 0) - this.floor + 1;
    return count < list.length ? list.slice(0, Math.max(0, count)) : list;
  }

  /** Why older blocks could not be loaded; null if they could. */
  get olderFault(): unknown {
    return this.#olderFault;
  }

  get paused(): boolean {
    return this.frozen !== null;
  }

  /** Number of new blocks hidden by the pause. */
  get waiting(): number {
    const top = this.frozen?.blocks[0]?.number;
    return top === undefined ? 0 : Math.max(0, (this.live[0]?.number ?? top) - top);
  }

  get hasOlder(): boolean {
    const last = this.shown.at(-1);
    return last !== undefined && last.number > 0;
  }

  /** Whether the list ends with the base of a fork: the blocks below are read from the live chain. */
  get endsAtBase(): boolean {
    const last = this.shown.at(-1)?.number;
    return last !== undefined && last > 0 && last === this.node.base()?.number;
  }

  /** A block from the list or else from the node. */
  async loadBlock(hash: string): Promise<BlockItem | null> {
    const { extrinsics = null, ...listed } = this.live.find((block) => block.hash === hash) ?? {};
    return extrinsics === null ? loadItem(this.node, hash) : ({ ...listed, extrinsics } as BlockItem);
  }

  /** Shows older blocks: those that are kept, or else those that the node returns. */
  async loadOlder(): Promise<void> {
    const last = this.shown.at(-1);
    if (!last || last.number === 0) return;
    const kept = (this.frozen?.blocks ?? this.live).at(-1)?.number ?? last.number;
    this.#floor = Math.max(0, kept < last.number ? last.number - leastShown : last.number - pageSize);
    if (kept >= last.number) await this.loadBelow();
  }

  /** Adds older blocks below all that are kept. */
  async loadBelow(): Promise<void> {
    const last = (this.frozen?.blocks ?? this.live).at(-1);
    if (!last || last.number === 0) return;
    try {
      const range = { high: last.number - 1, low: Math.max(0, last.number - pageSize), fresh: false };
      const older = await loadRange(this.node, this.live, range);
      // The list may have changed during the request, and a paused list differs from the live one.
      this.live = joinBelow(this.live, older);
      if (this.frozen !== null)
        this.frozen = { ...this.frozen, blocks: joinBelow(this.frozen.blocks, older) };
      this.#olderFault = null;
    } catch (fault) {
      this.#olderFault = fault;
    }
  }

  protected listedAt(number: number): ListedBlock | undefined {
    const item = this.isListed ? this.live[(this.live[0]?.number ?? 0) - number] : undefined;
    return item?.number === number ? item : undefined;
  }

  /** Extends the list to the canonical block of this number, the best one, which probably has this hash. */
  protected async listTo(number: number, isCalm: boolean, likelyHash?: string): Promise<void> {
    const fresh = this.follows && isCalm;
    this.live = await extendTo(this.node, this.live, { high: number, fresh, likelyHash });
    this.follows = this.isListed;
    const [top] = this.live;
    if (top) this.top = { number: top.number, hash: top.hash };
  }
}
