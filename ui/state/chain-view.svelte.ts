import { createSubscriber } from 'svelte/reactivity';
import { blocksRestMs, createRest } from './pace.ts';
import type { UiNode } from './ui-node.ts';

/** A header as JSON-RPC gives it. */
export type HeaderJson = {
  readonly parentHash: string;
  readonly number: string;
  readonly stateRoot: string;
  readonly extrinsicsRoot: string;
  readonly digest: { readonly logs: readonly string[] };
};

/** One block of the list. */
export type BlockItem = {
  readonly hash: string;
  readonly number: number;
  readonly header: HeaderJson;
  readonly extrinsics: readonly string[];
  /** Arrived while the page looked on: glows once. */
  readonly fresh: boolean;
};

type SignedBlock = {
  readonly block: { readonly header: HeaderJson; readonly extrinsics: readonly string[] };
};

type BlockRef = { readonly number: number; readonly hash: string };

const pageSize = 40;
const keptBlocks = 2000;
/** What comes sooner after the last is no news by itself: nothing glows. */
const calmMs = 1.5 * blocksRestMs;

/** Best, finalized and the canonical blocks below, live while somebody reads them; blocks only load while a list shows them. */
export class ChainView {
  #node: UiNode;
  #best = $state.raw<BlockRef | null>(null);
  #finalized = $state.raw<number>(0);
  /** What was heard of finality and waits to be shown. */
  #heardFinal: number | null = null;
  #blocks = $state.raw<readonly BlockItem[]>([]);
  #frozen = $state.raw<readonly BlockItem[] | null>(null);
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
  #shown = $derived(this.#frozen ?? this.#blocks);

  constructor(node: UiNode) {
    this.#node = node;
    if (node.isFresh) {
      const { bestNumber: number, bestHash: hash, finalizedNumber } = node.info;
      this.#told = { number, hash };
      this.#best = this.#told;
      this.#finalized = finalizedNumber;
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
    return this.#finalized;
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
    const top = this.#frozen?.[0]?.number;
    return top === undefined ? 0 : Math.max(0, (this.#blocks[0]?.number ?? top) - top);
  }

  get hasOlder(): boolean {
    const last = this.#shown.at(-1);
    return last !== undefined && last.number > 0;
  }

  togglePause(): void {
    this.#frozen = this.#frozen === null ? this.#blocks : null;
  }

  /** A block of the list or of the node. */
  async loadBlock(hash: string): Promise<BlockItem | null> {
    const known = this.#blocks.find((block) => block.hash === hash);
    if (known) return known;
    const signed = (await this.#node.request('chain_getBlock', [hash])) as SignedBlock | null;
    return signed === null ? null : this.#toItem(hash, signed, false);
  }

  async loadOlder(): Promise<void> {
    const last = this.#blocks.at(-1);
    if (!last || last.number === 0) return;
    try {
      const older = await this.#loadRange(last.number - 1, Math.max(0, last.number - pageSize), false);
      this.#blocks = [...this.#blocks, ...older];
      if (this.#frozen !== null) this.#frozen = [...this.#frozen, ...older];
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
    const tellFinal = createRest(() => {
      this.#finalized = this.#heardFinal ?? this.#finalized;
    }, blocksRestMs);
    const open = [
      this.#node.subscribe('chain_subscribeNewHeads', [], 'chain_unsubscribeNewHeads', heard),
      this.#node.subscribe(
        'chain_subscribeFinalizedHeads',
        [],
        'chain_unsubscribeFinalizedHeads',
        (header) => {
          this.#heardFinal = Number((header as HeaderJson).number);
          tellFinal();
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

  async #syncOnce(): Promise<void> {
    const nowMs = performance.now();
    this.#isCalm = nowMs - this.#syncedMs > calmMs;
    this.#syncedMs = nowMs;
    const told = this.#told;
    this.#told = null;
    const number = told?.number ?? (await this.#bestNumber());
    if (number < this.#finalized) await this.#readFinalized();
    const best = this.#isListed ? await this.#list(number) : (told ?? (await this.#refAt(number)));
    if (best) this.#best = { number: best.number, hash: best.hash };
  }

  async #bestNumber(): Promise<number> {
    return Number(((await this.#node.request('chain_getHeader', [])) as HeaderJson).number);
  }

  async #refAt(number: number): Promise<BlockRef | null> {
    const hash = (await this.#node.request('chain_getBlockHash', [number])) as string | null;
    return hash === null ? null : { number, hash };
  }

  /** Brings the list up to the block of this number, and answers that block. */
  async #list(number: number): Promise<BlockItem | undefined> {
    const isNews = this.#follows && this.#isCalm;
    const low = Math.max(0, number - pageSize + 1);
    const top = this.#blocks[0];
    // Where the newest of the list is still on the best chain, so is all below it.
    const near =
      top !== undefined && top.number >= low && top.number < number
        ? await this.#loadRange(number, top.number, isNews)
        : [];
    const isNear = top !== undefined && near.at(-1)?.hash === top.hash;
    const recent = isNear ? near : await this.#loadRange(number, low, isNews);
    const floor = recent.at(-1)?.number ?? 0;
    const joined =
      (top?.number ?? number) + 1 >= floor ? this.#blocks.filter((block) => block.number < floor) : [];
    this.#blocks = [...recent, ...joined].slice(0, keptBlocks);
    this.#follows = this.#isListed;
    return recent[0];
  }

  /** After a jump back finality has gone back too, of which no head tells. */
  async #readFinalized(): Promise<void> {
    const hash = await this.#node.request('chain_getFinalizedHead', []);
    const header = (await this.#node.request('chain_getHeader', [hash])) as HeaderJson;
    this.#heardFinal = null;
    this.#finalized = Number(header.number);
  }

  /** Canonical blocks from `high` down to `low`; those already listed are kept as they are, so rows do not blink. */
  async #loadRange(high: number, low: number, fresh: boolean): Promise<BlockItem[]> {
    const numbers = Array.from({ length: high - low + 1 }, (_, index) => high - index);
    const hashes = (await this.#node.request('chain_getBlockHash', [numbers])) as (string | null)[];
    const known = new Map(this.#blocks.map((block) => [block.hash, block]));
    const items = await Promise.all(
      hashes.map(async (hash) => {
        if (hash === null) return null;
        const kept = known.get(hash);
        if (kept) return kept;
        const signed = (await this.#node.request('chain_getBlock', [hash])) as SignedBlock | null;
        return signed && this.#toItem(hash, signed, fresh);
      }),
    );
    return items.filter((item) => item !== null);
  }

  #toItem(hash: string, signed: SignedBlock, fresh: boolean): BlockItem {
    const { header, extrinsics } = signed.block;
    return { hash, number: Number(header.number), header, extrinsics, fresh };
  }
}
