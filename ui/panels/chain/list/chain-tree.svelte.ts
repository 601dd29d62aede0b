import { createSubscriber } from 'svelte/reactivity';
import { headerHash } from '../../../../src/scale/hash.ts';
import { throttleBlocks } from '../../../kit/page/throttle.ts';
import { isEmptyBlock } from '../../../node/block-range.ts';
import type { ChainView, HeaderJson } from '../../../node/chain-view.svelte.ts';
import type { UiNode } from '../../../node/client/ui-node.ts';
import { claimOf } from '../../../node/consensus/read-digest.ts';
import { loadSlotMs } from '../../../node/consensus/read-epoch.ts';
import { layoutTree, type TreeBlock, type TreeLayout } from './layout-tree.ts';
import type { Span } from './list-rows.ts';
import { type Canonical, pathOf, type Standing, standingsOf, unjoinedHeights } from './standing.ts';

/** Blocks kept in addition to those of the block list; the oldest entries are dropped first. */
const keptHeaders = 5000;
/** Forks are searched for down to this depth. */
const forkDepth = 1000;
/** Limit of blocks in a walk: down an old branch to a known block, or up from the best block. */
const longestWalk = 200;
const usualSlotMs = 6000;
/** Heights requested in parallel while searching for forks. */
const heightsAtOnce = 16;
/** Blocks that one click loads into a gap of the list. */
export const blocksPerLoad = 40;

type BlockWithHeader = {
  readonly header: HeaderJson;
  readonly hash: string;
  readonly extrinsics?: readonly string[] | null;
  /** Known without the body of a listed block. */
  readonly isEmpty?: boolean;
};
type IndexedBlock = Omit<TreeBlock, 'timeMs'> & { readonly slot: number | null };

/**
 * The blocks that the page knows, with forks, laid out as a tree. Subscribes to new blocks while it is read.
 */
export class ChainTree {
  #node: UiNode;
  #chain: ChainView;
  #extraBlocks = $state.raw<ReadonlyMap<string, IndexedBlock>>(new Map());
  /** Slot duration in milliseconds. */
  slotMs = $state.raw(usualSlotMs);
  #waiting: BlockWithHeader[] = [];
  #take = throttleBlocks(() => this.#takeWaiting());
  #watch: () => void;
  #held: TreeLayout | null = null;
  #indexed = new Map<string, IndexedBlock>();
  /** Blocks that were asked for, which stay even if they are below the list. */
  #wanted = new Set<string>();
  #canonical = $state.raw<Canonical>(new Map());
  /** Answers up to this height are settled, unless the chain is rolled back. */
  #sureTo = 0;
  /** Number of checks started, and the latest check whose result was applied. */
  #checks = { begun: 0, taken: 0 };
  #blocks = $derived.by(() => this.#collect());
  #path = $derived.by(() =>
    pathOf(new Map(this.#blocks.map((block) => [block.hash, block])), this.#chain.best?.hash ?? null),
  );
  #standings = $derived.by(() => standingsOf(this.#blocks, this.#path, this.#known()));
  #unjoined = $derived.by(() => unjoinedHeights(this.#blocks, this.#path, this.#chain.finalized));
  #layout = $derived.by(() => this.#compute());

  constructor(node: UiNode, chain: ChainView) {
    this.#node = node;
    this.#chain = chain;
    this.#watch = createSubscriber(() => this.#open());
  }

  /** Frozen while the list is paused. */
  get layout(): TreeLayout {
    this.#watch();
    return this.#layout;
  }

  /** The current standing of a block, even while the list is paused; null until known. */
  standing(hash: string | undefined): Standing | null {
    this.#watch();
    return this.#standings.get(hash ?? '') ?? null;
  }

  /** Heights that `check` asks about, because the known blocks do not link blocks there to the best chain. */
  get unjoined(): readonly number[] {
    this.#watch();
    return this.#unjoined;
  }

  /**
   * Asks the node for the blocks of its best chain at the unjoined heights. Settled answers are not requested
   * again, except for `looked`, the height of the open block: the chain may have been rolled back and
   * continued on another branch. Rejects with the node's errors.
   */
  async check(looked: number | null): Promise<void> {
    const turn = ++this.#checks.begun;
    const { finalized } = this.#chain;
    const known = finalized < this.#sureTo ? new Map<number, string | null>() : this.#canonical;
    const unjoined = this.#unjoined;
    const heights = unjoined.filter(
      (height) => !known.has(height) || height > this.#sureTo || height === looked,
    );
    // Continue with nothing to ask if there are answers to drop: after a jump back, stale ones would
    // contradict the known blocks.
    if (heights.length === 0 && this.#canonical.size === unjoined.length) return;
    const hashes =
      heights.length === 0 ? [] : [await this.#node.request('chain_getBlockHash', [heights])].flat();
    if (turn < this.#checks.taken) return;
    this.#checks.taken = turn;
    this.#sureTo = finalized;
    const answers = new Map(heights.map((height, at) => [height, hashes[at] ?? null]));
    // Blocks may have been linked to the best chain in the meantime.
    const open = unjoined.filter((height) => this.#unjoined.includes(height));
    this.#canonical = new Map(
      open.map((height) => [height, answers.get(height) ?? known.get(height) ?? null] as const),
    );
  }

  /** Adds a block of any branch, with `most` ancestors down to a known block. Rejects with the node's errors. */
  async include(hash: string, most = longestWalk): Promise<void> {
    let next = hash;
    for (let count = 0; count < most; count += 1) {
      if (this.standing(next) !== null) return;
      const known = this.#extraBlocks.get(next);
      if (known !== undefined) {
        // The node sends a block again once it is final: known, but below the list.
        this.pin(next);
        next = known.parent;
        continue;
      }
      const block = await this.#chain.loadBlock(next);
      if (block === null) return;
      const { number } = block;
      const [canonical] = [await this.#node.request('chain_getBlockHash', [[number]])].flat();
      this.#want(block.hash);
      this.#add(block);
      if (canonical === next || number === 0) return;
      next = block.header.parentHash;
    }
  }

  /** Updates a block whose body was read: only then is it known whether it is empty and can be folded. */
  learn(block: BlockWithHeader): void {
    if (this.#extraBlocks.has(block.hash)) this.#add(block);
  }

  /**
   * Loads the newest blocks of a span of the best chain, `blocksPerLoad` at most. Rejects with the node's
   * errors.
   */
  async load({ low, high }: Span): Promise<void> {
    const count = Math.min(blocksPerLoad, high - low + 1);
    const heights = Array.from({ length: count }, (_, back) => high - back);
    const hashes = [await this.#node.request('chain_getBlockHash', [heights])].flat();
    const answers = heights.map((height, at) => [height, hashes[at] ?? null] as const);
    for (const hash of hashes) if (hash !== null) this.#want(hash);
    await this.#addAll(hashes.filter((hash) => hash !== null));
    this.#canonical = new Map([...this.#canonical, ...answers]);
  }

  /** Keeps a known block, even when the list no longer shows its height. */
  pin(hash: string): void {
    const known = this.#indexed.get(hash);
    if (known === undefined) return;
    this.#want(hash);
    this.#extraBlocks = new Map([...this.#extraBlocks, [hash, known]]);
  }

  #want(hash: string): void {
    this.#wanted.delete(hash);
    this.#wanted.add(hash);
    const [oldest] = this.#wanted;
    if (this.#wanted.size > keptHeaders && oldest !== undefined) this.#wanted.delete(oldest);
  }

  /** Cached, as headers do not change; converted again once the body is known. */
  #toIndexed({ hash, header, extrinsics, isEmpty: listed }: BlockWithHeader): IndexedBlock {
    const known = this.#indexed.get(hash);
    const isEmpty = listed ?? (extrinsics ? isEmptyBlock({ header, extrinsics }) : null);
    if (known && (known.isEmpty !== null || isEmpty === null)) return known;
    const claim = claimOf(header.digest.logs);
    const { parentHash: parent } = header;
    const block = { hash, parent, number: Number(header.number), slot: claim?.slot ?? null, isEmpty };
    if (this.#indexed.size > keptHeaders * 4) this.#indexed.clear();
    this.#indexed.set(hash, block);
    return block;
  }

  #known() {
    return { finalized: this.#chain.finalized, canonical: this.#canonical };
  }

  /** All blocks, parents before their children. */
  #collect(): readonly IndexedBlock[] {
    // Prefer the cache: it knows whether the block is empty if the body was read after the header.
    const all = new Map<string, IndexedBlock>();
    const { floor } = this.#chain;
    for (const [hash, block] of this.#extraBlocks)
      if (!(block.number < floor) || this.#wanted.has(hash)) all.set(hash, this.#indexed.get(hash) ?? block);
    for (const block of this.#chain.liveBlocks) all.set(block.hash, this.#toIndexed(block));
    return [...all.values()].toSorted((a, b) => a.number - b.number);
  }

  #compute(): TreeLayout {
    if (this.#chain.paused && this.#held !== null) return this.#held;
    const slotMs = this.slotMs;
    const timed = this.#blocks.map(({ slot, ...block }) => ({
      ...block,
      timeMs: slot === null ? null : slot * slotMs,
    }));
    const layout = layoutTree(timed, { ...this.#known(), best: this.#chain.best?.hash ?? null });
    this.#held = layout;
    return layout;
  }

  #add(item: BlockWithHeader): void {
    this.#waiting.push(item);
    this.#take();
  }

  /** Finds forks older than the subscription: requests all blocks at each height above the finalized one. */
  async #findForks(isOpen: () => boolean): Promise<void> {
    const numberOf = async (params: readonly string[]): Promise<number> =>
      Number((await this.#node.request('chain_getHeader', params))?.number);
    const best = await numberOf([]);
    const finalized = await numberOf([await this.#node.request('chain_getFinalizedHead', [])]);
    for (let low = Math.max(finalized, best - forkDepth) + 1; isOpen() && low <= best; low += heightsAtOnce) {
      const heights = Array.from({ length: Math.min(heightsAtOnce, best - low + 1) }, (_, at) => low + at);
      // A single block at a height is on the best chain, which the list loads.
      const hashes = (await Promise.all(heights.map((height) => this.#hashesAt(height)))).filter(
        (found) => found.length > 1,
      );
      await this.#addAll(hashes.flat());
    }
    // After a jump back the best block is not the highest.
    for (let height = best + 1; isOpen() && height <= best + longestWalk; height += 1) {
      const hashes = await this.#hashesAt(height);
      if (hashes.length === 0) return;
      await this.#addAll(hashes);
    }
  }

  #hashesAt(height: number): Promise<readonly string[]> {
    return this.#node.request('archive_v1_hashByHeight', [height]);
  }

  async #addAll(hashes: readonly string[]): Promise<void> {
    const blocks = await Promise.all(hashes.map((hash) => this.#chain.loadBlock(hash)));
    for (const block of blocks) if (block !== null) this.#add(block);
  }

  async #takeWaiting(): Promise<void> {
    const taken = this.#waiting;
    this.#waiting = [];
    // Until the list holds it, a new block would be taken for a fork of the block before it.
    await this.#chain.sync();
    const next = new Map(this.#extraBlocks);
    for (const one of taken) next.set(one.hash, this.#toIndexed(one));
    this.#extraBlocks = new Map([...next].filter(([, block]) => !this.#isDone(block)).slice(-keptHeaders));
  }

  /** Whether the list has the block, and brings it back when its height is shown again. */
  #isDone(block: IndexedBlock): boolean {
    return block.number < this.#chain.floor && !this.#wanted.has(block.hash) && this.#chain.keeps(block);
  }

  #open(): () => void {
    let open = true;
    const subscription = this.#node.subscribe(
      'chain_subscribeAllHeads',
      [],
      'chain_unsubscribeAllHeads',
      (header) => {
        // The node sends blocks again once they are final; old ones would take the place of newer blocks.
        if (Number(header.number) <= (this.#chain.best?.number ?? 0) - keptHeaders) return;
        // The notification does not include the hash.
        if (open) this.#add({ hash: headerHash(header), header });
      },
    );
    subscription.opened.catch(() => undefined);
    void this.#findForks(() => open).catch(() => undefined);
    void loadSlotMs(this.#node).then((ms) => (this.slotMs = ms ?? usualSlotMs));
    return () => {
      open = false;
      subscription.close();
    };
  }
}
