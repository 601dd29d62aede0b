import { createSubscriber } from 'svelte/reactivity';
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
import { blocksRestMs, createRest } from './pace.ts';
import type { UiNode } from './ui-node.ts';

export type { BlockItem, HeaderJson } from './block-range.ts';

type BlockRef = { readonly number: number; readonly hash: string };

/** What the list showed when it was paused. */
type Frozen = { readonly blocks: readonly BlockItem[]; readonly finalized: number; readonly best: number };

/** A finalized block; its header is not known where only the start told of it. */
type FinalRef = { readonly number: number; readonly header: HeaderJson | null };

const toRef = (header: HeaderJson): FinalRef => ({ number: Number(header.number), header });

/** What comes sooner after the last is no news by itself: nothing glows. */
const calmMs = 1.5 * blocksRestMs;

/** Best, finalized and the canonical blocks below, live while somebody reads them; blocks only load while a list shows them. */
export class ChainView {
  #node: UiNode;
  #best = $state.raw<BlockRef | null>(null);
  #finalized = $state.raw<FinalRef>({ number: 0, header: null });
  /** What was heard of finality and waits to be shown. */
  #heardFinal: FinalRef | null = null;
  /** The best block's header, as it was last read. */
  #bestHeader: HeaderJson | null = null;
  #blocks = $state.raw<readonly BlockItem[]>([]);
  #frozen = $state.raw<Frozen | null>(null);
  #fault = $state.raw<unknown>(null);
  #olderFault = $state.raw<unknown>(null);
  /** The best block as the start told it, which need not be asked again. */
  #told: BlockRef | null = null;
  #busy = false;
  #again = false;
  #watch: () => void;
  #watchBlocks: () => void;
  #isListed = false;
  /** Whether the list was up to date before: what comes then is fresh. */
  #follows = false;
  #syncedMs = Number.NEGATIVE_INFINITY;
  #isCalm = $state.raw(true);
  #shown = $derived(this.#frozen?.blocks ?? this.#blocks);

  constructor(node: UiNode) {
    this.#node = node;
    if (node.isFresh) {
      const { bestNumber: number, bestHash: hash, finalizedNumber } = node.info;
      this.#told = { number, hash };
      this.#best = this.#told;
      this.#finalized = { number: finalizedNumber, header: null };
    }
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

  get best() {
    this.#watch();
    return this.#best;
  }

  get finalized(): number {
    this.#watch();
    return this.#finalized.number;
  }

  /** Whether the last block came by itself, and is worth a glow. */
  get isCalm(): boolean {
    return this.#isCalm;
  }

  /** Newest first; stands still while paused. */
  get blocks(): readonly BlockItem[] {
    this.#watch();
    this.#watchBlocks();
    return this.#shown;
  }

  /** The best chain as it is now, also while the list is paused. */
  get liveBlocks(): readonly BlockItem[] {
    this.#watch();
    this.#watchBlocks();
    return this.#blocks;
  }

  /** The heads that go with the blocks shown: those of the pause, while it lasts. */
  get shownHeads(): { readonly finalized: number; readonly best: number | null } {
    return this.#frozen ?? { finalized: this.finalized, best: this.best?.number ?? null };
  }

  get fault(): unknown {
    return this.#fault;
  }

  /** Why the last older blocks that were asked for did not come. */
  get olderFault(): unknown {
    return this.#olderFault;
  }

  get paused(): boolean {
    return this.#frozen !== null;
  }

  /** How many blocks wait behind the pause. */
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

  /** A block of the list or of the node. */
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
      // Meanwhile the list may have grown or changed, and the paused list differs from the live one.
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
    const heard = createRest(() => {
      if (isOpen) void this.sync();
    }, blocksRestMs);
    const heardFinal = createRest(() => {
      if (isOpen) this.#takeFinal();
    }, blocksRestMs);
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

  /** Brings the list up to the best block; heads that arrive meanwhile are taken together afterwards. */
  async sync(): Promise<void> {
    this.#again = true;
    if (this.#busy) return;
    this.#busy = true;
    try {
      while (this.#again) {
        this.#again = false;
        await this.#syncOnce();
      }
      this.#fault = null;
    } catch (fault) {
      this.#fault = fault;
    } finally {
      this.#busy = false;
    }
  }

  /** Shows what was heard of finality; where the best chain at hand may not have that block, the chain is read first. */
  #takeFinal(): void {
    const heard = this.#heardFinal;
    if (heard === null) return;
    const listed = this.#listed(heard.number);
    const isJoined = listed !== undefined && this.#holds(heard);
    if (isJoined || !this.#isListed) this.#showFinal(heard);
    // A block of any branch may become final: that branch is the best one then, and no new head tells of it.
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

  /** Whether this block lies on the best chain at hand, as far as that shows it. */
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
    // What was final before the best chain was read lies on it, unless the chain has gone back since.
    if (!this.#holds(final)) await this.#readFinalized();
    else if (heard !== null && heard === this.#heardFinal) this.#showFinal(heard);
  }

  async #readBest(): Promise<void> {
    const told = this.#told;
    this.#told = null;
    const header = told === null ? await this.#readHeader([]) : null;
    if (header !== null && this.#isUpTo(header)) return;
    const number = told?.number ?? Number(header?.number);
    if (this.#isListed) await this.#list(number);
    else this.#best = told ?? (await this.#refAt(number)) ?? this.#best;
    this.#bestHeader = header;
  }

  /** Whether what is shown ends with this best block. */
  #isUpTo(best: HeaderJson): boolean {
    if (this.#bestHeader === null || !isSameHeader(best, this.#bestHeader)) return false;
    return !this.#isListed || (this.#follows && this.#blocks[0]?.hash === this.#best?.hash);
  }

  async #readHeader(params: readonly string[]): Promise<HeaderJson> {
    return (await this.#node.request('chain_getHeader', params)) as HeaderJson; // of a block that is there
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

  /** After a jump back finality has gone back too, of which no head tells. */
  async #readFinalized(): Promise<void> {
    const before = this.#finalized;
    const hash = await this.#node.request('chain_getFinalizedHead', []);
    const header = await this.#readHeader([hash]);
    // What was heard meanwhile is newer.
    if (this.#finalized === before) this.#showFinal(toRef(header));
  }
}
