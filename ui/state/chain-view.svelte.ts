import { createSubscriber } from 'svelte/reactivity';
import type { StartInfo } from '../../src/index.ts';
import type { UiNode } from '../client/ui-node.ts';
import { blocksRestMs, throttle } from '../page/throttle.ts';
import { loadHash } from './at-block.ts';
import {
  type BlockItem,
  extendTo,
  type HeaderJson,
  isSameHeader,
  joinBelow,
  loadItem,
  loadRange,
  pageSize,
} from './block-range.ts';

export type { BlockItem, HeaderJson } from './block-range.ts';

type BlockRef = { readonly number: number; readonly hash: string };

/** What the list showed when it was paused. */
type Frozen = { readonly blocks: readonly BlockItem[]; readonly finalized: number; readonly best: number };

/** A finalized block; its header is unknown if it comes from the start info. */
type FinalRef = { readonly number: number; readonly header: HeaderJson | null };

const toRef = (header: HeaderJson): FinalRef => ({ number: Number(header.number), header });

/** Blocks that arrive sooner after the previous one do not glow. */
const calmMs = 1.5 * blocksRestMs;

/**
 * Best, finalized and canonical blocks, kept live while something reads them; blocks are only loaded while a
 * list shows them.
 */
export class ChainView {
  #node: UiNode;
  #best = $state.raw<BlockRef | null>(null);
  #finalized = $state.raw<FinalRef>({ number: 0, header: null });
  /** The latest finalized head received but not shown yet. */
  #heardFinal: FinalRef | null = null;
  /** The best block's header, as last read. */
  #bestHeader: HeaderJson | null = null;
  #blocks = $state.raw<readonly BlockItem[]>([]);
  #frozen = $state.raw<Frozen | null>(null);
  #fault = $state.raw<unknown>(null);
  #olderFault = $state.raw<unknown>(null);
  /** The best block from the start info, used once instead of a request. */
  #announced: BlockRef | null = null;
  /** The start info of a node that is still starting; null once read. */
  #starting: Promise<StartInfo> | null = null;
  #syncing: Promise<void> | null = null;
  #again = false;
  #watch: () => void;
  #watchBlocks: () => void;
  #isListed = false;
  /** Whether the list was up to date; blocks that arrive afterwards are fresh. */
  #follows = false;
  #syncedMs = Number.NEGATIVE_INFINITY;
  #isCalm = $state.raw(true);
  #shown = $derived(this.#frozen?.blocks ?? this.#blocks);

  constructor(node: UiNode) {
    this.#node = node;
    if (node.isFresh) this.#announce(node.info);
    this.#starting = node.starting ?? null;
    this.#watch = createSubscriber(() => this.#open());
    this.#watchBlocks = createSubscriber(() => {
      this.#isListed = true;
      void this.sync();
      return () => {
        this.#isListed = false;
        this.#follows = false;
      };
    });
  }

  #announce({ bestNumber: number, bestHash: hash, finalizedNumber }: StartInfo): void {
    this.#announced = { number, hash };
    this.#best = this.#announced;
    this.#finalized = { number: finalizedNumber, header: null };
  }

  get best() {
    this.#watch();
    return this.#best;
  }

  get finalized(): number {
    this.#watch();
    return this.#finalized.number;
  }

  /** Whether the last block did not come in a burst, so that it may glow. */
  get isCalm(): boolean {
    return this.#isCalm;
  }

  /** Whether blocks were loaded, or could not be. Does not load them. */
  get hasListed(): boolean {
    return this.#blocks.length > 0 || this.#fault !== null;
  }

  /** Newest first; frozen while paused. */
  get blocks(): readonly BlockItem[] {
    this.#watch();
    this.#watchBlocks();
    return this.#shown;
  }

  /** The current best chain, even while the list is paused. */
  get liveBlocks(): readonly BlockItem[] {
    this.#watch();
    this.#watchBlocks();
    return this.#blocks;
  }

  /** The heads that belong to the blocks shown: those at the pause while paused. */
  get shownHeads(): { readonly finalized: number; readonly best: number | null } {
    return this.#frozen ?? { finalized: this.finalized, best: this.best?.number ?? null };
  }

  get fault(): unknown {
    return this.#fault;
  }

  /** Why older blocks could not be loaded; null if they could. */
  get olderFault(): unknown {
    return this.#olderFault;
  }

  get paused(): boolean {
    return this.#frozen !== null;
  }

  /** Number of new blocks hidden by the pause. */
  get waiting(): number {
    const top = this.#frozen?.blocks[0]?.number;
    return top === undefined ? 0 : Math.max(0, (this.#blocks[0]?.number ?? top) - top);
  }

  get hasOlder(): boolean {
    const last = this.#shown.at(-1);
    return last !== undefined && last.number > 0;
  }

  togglePause(): void {
    const { best, finalized } = this;
    this.#frozen =
      this.#frozen === null ? { blocks: this.#blocks, finalized, best: best?.number ?? 0 } : null;
  }

  /** A block from the list or else from the node. */
  async loadBlock(hash: string): Promise<BlockItem | null> {
    const known = this.#blocks.find((block) => block.hash === hash);
    if (known) return known;
    return loadItem(this.#node, hash);
  }

  async loadOlder(): Promise<void> {
    const last = this.#shown.at(-1);
    if (!last || last.number === 0) return;
    try {
      const range = { high: last.number - 1, low: Math.max(0, last.number - pageSize), fresh: false };
      const older = await loadRange(this.#node, this.#blocks, range);
      // The list may have changed during the request, and a paused list differs from the live one.
      this.#blocks = joinBelow(this.#blocks, older);
      if (this.#frozen !== null)
        this.#frozen = { ...this.#frozen, blocks: joinBelow(this.#frozen.blocks, older) };
      this.#olderFault = null;
    } catch (fault) {
      this.#olderFault = fault;
    }
  }

  #open(): () => void {
    let isOpen = true;
    const rested = (act: () => unknown) => throttle(() => void (isOpen && act()), blocksRestMs);
    const heard = rested(() => this.sync());
    const heardFinal = rested(() => this.#takeFinal());
    const open = [
      this.#node.subscribe('chain_subscribeNewHeads', [], 'chain_unsubscribeNewHeads', heard),
      this.#node.subscribe(
        'chain_subscribeFinalizedHeads',
        [],
        'chain_unsubscribeFinalizedHeads',
        (header) => {
          this.#heardFinal = toRef(header);
          heardFinal();
        },
      ),
    ];
    for (const { opened } of open)
      opened.catch((fault: unknown) => {
        this.#fault = fault;
      });
    void this.sync();
    return () => {
      isOpen = false;
      for (const subscription of open) subscription.close();
    };
  }

  /** Brings the list up to the best block; heads that arrive meanwhile are handled together afterwards. */
  sync(): Promise<void> {
    this.#again = true;
    this.#syncing ??= this.#syncAll();
    return this.#syncing;
  }

  async #syncAll(): Promise<void> {
    try {
      while (this.#again) {
        this.#again = false;
        await this.#syncOnce();
      }
      this.#fault = null;
    } catch (fault) {
      this.#fault = fault;
    } finally {
      this.#syncing = null;
    }
  }

  /**
   * Shows the latest finalized head. If the listed chain may not contain that block, the chain is read first.
   */
  #takeFinal(): void {
    const heard = this.#heardFinal;
    if (heard === null) return;
    const listed = this.#listed(heard.number);
    const isJoined = listed !== undefined && this.#holds(heard);
    if (isJoined || !this.#isListed) this.#showFinal(heard);
    // A block of any branch may be finalized, which makes that branch the best one without a new head.
    if (!isJoined) void this.sync();
  }

  #showFinal(final: FinalRef): void {
    this.#finalized = final;
    if (this.#heardFinal === final) this.#heardFinal = null;
  }

  #listed(number: number): BlockItem | undefined {
    const item = this.#isListed ? this.#blocks[(this.#blocks[0]?.number ?? 0) - number] : undefined;
    return item?.number === number ? item : undefined;
  }

  /** Whether the block is on the best chain, as far as it is known. */
  #holds({ number, header }: FinalRef): boolean {
    const listed = this.#listed(number);
    return listed === undefined || header === null
      ? number <= (this.#best?.number ?? number)
      : isSameHeader(listed.header, header);
  }

  async #syncOnce(): Promise<void> {
    const nowMs = performance.now();
    this.#isCalm = nowMs - this.#syncedMs > calmMs;
    this.#syncedMs = nowMs;
    const heard = this.#heardFinal;
    const final = heard ?? this.#finalized;
    await this.#readBest();
    // A block finalized before the best chain was read is on it, unless the chain was rolled back since.
    if (!this.#holds(final)) await this.#readFinalized();
    else if (heard !== null && heard === this.#heardFinal) this.#showFinal(heard);
  }

  async #readBest(): Promise<void> {
    if (this.#starting !== null) {
      this.#announce(await this.#starting);
      this.#starting = null;
    }
    const announced = this.#announced;
    this.#announced = null;
    const header = announced === null ? await this.#readHeader([]) : null;
    if (header !== null && this.#isUpTo(header)) return;
    const number = announced?.number ?? Number(header?.number);
    if (this.#isListed) await this.#list(number);
    else this.#best = announced ?? (await this.#refAt(number)) ?? this.#best;
    this.#bestHeader = header;
  }

  /** Whether the list already ends with this best block. */
  #isUpTo(best: HeaderJson): boolean {
    if (this.#bestHeader === null || !isSameHeader(best, this.#bestHeader)) return false;
    return !this.#isListed || (this.#follows && this.#blocks[0]?.hash === this.#best?.hash);
  }

  async #readHeader(params: readonly string[]): Promise<HeaderJson> {
    return (await this.#node.request('chain_getHeader', params)) as HeaderJson; // of a block that exists
  }

  async #refAt(number: number): Promise<BlockRef | null> {
    const hash = await loadHash(this.#node, number);
    return hash === null ? null : { number, hash };
  }

  async #list(number: number): Promise<void> {
    const isNews = this.#follows && this.#isCalm;
    this.#blocks = await extendTo(this.#node, this.#blocks, number, isNews);
    this.#follows = this.#isListed;
    const top = this.#blocks[0];
    if (top) this.#best = { number: top.number, hash: top.hash };
  }

  /** A rollback also moves finality back, which no head reports. */
  async #readFinalized(): Promise<void> {
    const before = this.#finalized;
    const hash = await this.#node.request('chain_getFinalizedHead', []);
    const header = await this.#readHeader([hash]);
    // A head received during the requests is newer.
    if (this.#finalized === before) this.#showFinal(toRef(header));
  }
}
