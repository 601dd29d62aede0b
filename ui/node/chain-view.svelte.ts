import { createSubscriber } from 'svelte/reactivity';
import type { StartInfo } from '../../src/index.ts';
import { coalesce } from '../kit/page/coalesce.ts';
import { throttleBlocks } from '../kit/page/throttle.ts';
import { loadHash } from './at-block.ts';
import { type HeaderJson, isSameHeader } from './block-range.ts';
import type { UiNode } from './client/ui-node.ts';
import { type BlockRef, ListedBlocks } from './listed-blocks.svelte.ts';

export type { BlockItem, HeaderJson } from './block-range.ts';

/** A finalized block; its header is unknown if it comes from the start info. */
type FinalRef = { readonly number: number; readonly header: HeaderJson | null };

const toRef = (header: HeaderJson): FinalRef => ({ number: Number(header.number), header });

/** Blocks that arrive sooner after the previous one do not glow. */
const calmMs = 300;

/**
 * Best, finalized and canonical blocks, kept live while something reads them; blocks are only loaded while a
 * list shows them.
 */
export class ChainView extends ListedBlocks {
  #finalized = $state.raw<FinalRef>({ number: 0, header: null });
  /** The latest finalized head received but not shown yet. */
  #reportedFinal: FinalRef | null = null;
  /** The best block's header, as last read. */
  #bestHeader: HeaderJson | null = null;
  #fault = $state.raw<unknown>(null);
  /** The best block from the start info, used instead of a request until the list has it, or a head arrives. */
  #announced: BlockRef | null = null;
  /** The start info of a node that is still starting; null once read. */
  #starting: Promise<StartInfo> | null;
  protected watch = createSubscriber(() => this.#open());
  #headMs = Number.NEGATIVE_INFINITY;
  #isCalm = $state.raw(true);

  constructor(node: UiNode) {
    super(node);
    if (node.isFresh) this.#announce(node.info);
    this.#starting = node.starting ?? null;
  }

  #announce({ bestNumber: number, bestHash: hash, finalizedNumber }: StartInfo): void {
    this.#announced = { number, hash };
    this.top = this.#announced;
    this.#finalized = { number: finalizedNumber, header: null };
  }

  get best() {
    this.watch();
    return this.top;
  }

  get finalized(): number {
    this.watch();
    return this.#finalized.number;
  }

  /** Whether the last block did not come in a burst, so that it may glow. */
  get isCalm(): boolean {
    return this.#isCalm;
  }

  /** Whether blocks were loaded, or could not be. Does not load them. */
  get hasListed(): boolean {
    return this.live.length > 0 || this.#fault !== null;
  }

  /** The heads that belong to the blocks shown: those at the pause while paused. */
  get shownHeads(): { readonly finalized: number; readonly best: number | null } {
    return this.frozen ?? { finalized: this.finalized, best: this.best?.number ?? null };
  }

  get fault(): unknown {
    return this.#fault;
  }

  togglePause(): void {
    const { best, finalized } = this;
    this.frozen = this.frozen === null ? { blocks: this.live, finalized, best: best?.number ?? 0 } : null;
  }

  #open(): () => void {
    let isOpen = true;
    const rested = (act: () => unknown) => throttleBlocks(() => isOpen && act());
    const syncSoon = rested(() => this.sync());
    const onHead = (): void => {
      this.#announced = null;
      const nowMs = performance.now();
      this.#isCalm = nowMs - this.#headMs > calmMs;
      this.#headMs = nowMs;
      syncSoon();
    };
    const onFinal = rested(() => this.#takeFinal());
    const open = [
      this.node.subscribe('chain_subscribeNewHeads', [], 'chain_unsubscribeNewHeads', onHead),
      this.node.subscribe(
        'chain_subscribeFinalizedHeads',
        [],
        'chain_unsubscribeFinalizedHeads',
        (header) => {
          this.#reportedFinal = toRef(header);
          onFinal();
        },
      ),
    ];
    for (const { opened } of open) opened.catch((fault: unknown) => (this.#fault = fault));
    void this.sync();
    return () => {
      isOpen = false;
      for (const subscription of open) subscription.close();
    };
  }

  /** Brings the list up to the best block; heads that arrive meanwhile are handled together afterwards. */
  readonly sync = coalesce(async () => {
    try {
      await this.#syncOnce();
      this.#fault = null;
    } catch (fault) {
      this.#fault = fault;
    }
  });

  /**
   * Shows the latest finalized head. If the listed chain may not contain that block, the chain is read first.
   */
  async #takeFinal(): Promise<void> {
    const reported = this.#reportedFinal;
    if (reported === null) return;
    const listed = this.listedAt(reported.number);
    const isJoined = listed !== undefined && this.#holds(reported);
    if (isJoined || !this.isListed) this.#showFinal(reported);
    // A block of any branch may be finalized, which makes that branch the best one without a new head.
    if (!isJoined) await this.sync();
  }

  /** Not above the best block: the heads are reported one by one, and the next sync shows both. */
  #showFinal(final: FinalRef): void {
    if (final.number > (this.top?.number ?? final.number)) return;
    this.#finalized = final;
    if (this.#reportedFinal === final) this.#reportedFinal = null;
  }

  /** Whether the block is on the best chain, as far as it is known. */
  #holds({ number, header }: FinalRef): boolean {
    const listed = this.listedAt(number);
    return listed === undefined || header === null
      ? number <= (this.top?.number ?? number)
      : isSameHeader(listed.header, header);
  }

  async #syncOnce(): Promise<void> {
    const [reported, shown] = [this.#reportedFinal, this.#finalized];
    await this.#readBest();
    // A block finalized before the best chain was read is on it, unless the chain was rolled back since.
    if (!this.#holds(reported ?? this.#finalized)) await this.#readFinalized();
    // A newer one may be reported during each read, and stays pending.
    else if (reported !== null && (reported === this.#reportedFinal || shown === this.#finalized))
      this.#showFinal(reported);
  }

  async #readBest(): Promise<void> {
    if (this.#starting !== null) {
      this.#announce(await this.#starting);
      this.#starting = null;
    }
    const announced = this.#announced;
    if (this.isListed) this.#announced = null;
    const header = announced === null ? await this.#readHeader([]) : null;
    if (header !== null && this.#isUpTo(header)) return;
    const number = announced?.number ?? Number(header?.number);
    if (number < this.#finalized.number) await this.#readFinalized();
    if (this.isListed) await this.listTo(number, this.#isCalm, announced?.hash);
    else this.top = announced ?? (await this.#refAt(number)) ?? this.top;
    this.#bestHeader = header;
  }

  /** Whether the list already ends with this best block. */
  #isUpTo(best: HeaderJson): boolean {
    if (this.#bestHeader === null || !isSameHeader(best, this.#bestHeader)) return false;
    return !this.isListed || (this.follows && this.live[0]?.hash === this.top?.hash);
  }

  async #readHeader(params: readonly string[]): Promise<HeaderJson> {
    return (await this.node.request('chain_getHeader', params)) as HeaderJson; // of a block that exists
  }

  async #refAt(number: number): Promise<BlockRef | null> {
    const hash = await loadHash(this.node, number);
    return hash === null ? null : { number, hash };
  }

  /** A rollback also moves finality back, which no head reports. */
  async #readFinalized(): Promise<void> {
    const before = this.#finalized;
    const hash = await this.node.request('chain_getFinalizedHead', []);
    const header = await this.#readHeader([hash]);
    // A head received during the requests is newer.
    if (this.#finalized === before) this.#showFinal(toRef(header));
  }
}
