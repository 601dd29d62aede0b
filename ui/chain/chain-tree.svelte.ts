import { createSubscriber } from 'svelte/reactivity';
import type { ChainView, HeaderJson } from '../state/chain-view.svelte.ts';
import { readShape } from '../state/extrinsic.ts';
import { blocksRestMs, createRest } from '../state/pace.ts';
import type { UiNode } from '../state/ui-node.ts';
import type { Span } from './graph-rows.ts';
import { layoutTree, type TreeBlock, type TreeLayout } from './layout-tree.ts';
import { claimOf } from './read-digest.ts';
import { loadSlotMs } from './read-epoch.ts';
import { type Canonical, pathOf, type Standing, standingsOf, unjoinedHeights } from './standing.ts';

/** Headers beside the best chain that are kept; the oldest go first. */
const keptHeaders = 1000;
/** How far a block of an old branch is followed down to what is known. */
const longestWalk = 200;
const usualSlotMs = 6000;
/** Heights that are asked for at once when the forks are looked for. */
const heightsAtOnce = 16;
/** Blocks that one click loads where the list has a hole. */
export const blocksPerLoad = 40;

type Headed = {
  readonly header: HeaderJson;
  readonly hash: string;
  readonly extrinsics?: readonly string[];
};
type Slotted = Omit<TreeBlock, 'timeMs'> & { readonly slot: number | null };

/** DigestItem::RuntimeEnvironmentUpdated: such a block is not empty, whatever its body has. */
export const upgradeLog = '0x08';

/** Every block this page has heard of, forks included, laid out as a tree while somebody looks. */
export class ChainTree {
  #node: UiNode;
  #chain: ChainView;
  #loose = $state.raw<ReadonlyMap<string, Slotted>>(new Map());
  #slotMs = $state.raw(usualSlotMs);
  #waiting: Headed[] = [];
  #take = createRest(() => {
    const next = new Map(this.#loose);
    for (const one of this.#waiting) next.set(one.hash, this.#toSlotted(one));
    this.#waiting = [];
    this.#loose = new Map([...next].slice(-keptHeaders));
  }, blocksRestMs);
  #watch: () => void;
  #held: TreeLayout | null = null;
  #slotted = new Map<string, Slotted>();
  #canonical = $state.raw<Canonical>(new Map());
  /** Up to this height the answers hold for good, unless the chain goes back. */
  #sureTo = 0;
  /** How many checks were begun, and which of them was the last to be taken. */
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

  /** Stands still while the list is paused. */
  get layout(): TreeLayout {
    this.#watch();
    return this.#layout;
  }

  /** Where a block stands now, also while the list is paused; null while it is not known. */
  standing(hash: string | undefined): Standing | null {
    this.#watch();
    return this.#standings.get(hash ?? '') ?? null;
  }

  /** Heights of blocks that nothing here joins to the best chain: `check` asks about them. */
  get unjoined(): readonly number[] {
    this.#watch();
    return this.#unjoined;
  }

  /**
   * Asks the node which block its best chain has where that cannot be seen from the blocks at hand: about those that
   * somebody looks at each time, as the chain may have gone back and come up another way.
   */
  async check(looked: number | null): Promise<void> {
    const turn = ++this.#checks.begun;
    const { finalized } = this.#chain;
    const known = finalized < this.#sureTo ? new Map<number, string | null>() : this.#canonical;
    const unjoined = this.#unjoined;
    const heights = unjoined.filter(
      (height) => !known.has(height) || height > this.#sureTo || height === looked,
    );
    // With nothing to ask the old answers go too: after a jump back they would hold against the blocks at hand.
    if (heights.length === 0 && this.#canonical.size === unjoined.length) return;
    const hashes =
      heights.length === 0
        ? []
        : ((await this.#node.request('chain_getBlockHash', [heights])) as (string | null)[]);
    if (turn < this.#checks.taken) return;
    this.#checks.taken = turn;
    this.#sureTo = finalized;
    const told = new Map(heights.map((height, at) => [height, hashes[at] ?? null]));
    // Some may have been joined meanwhile.
    const open = unjoined.filter((height) => this.#unjoined.includes(height));
    this.#canonical = new Map(
      open.map((height) => [height, told.get(height) ?? known.get(height) ?? null] as const),
    );
  }

  /** Milliseconds of one slot. */
  get slotMs(): number {
    return this.#slotMs;
  }

  /** Takes a block of any branch in, with its ancestors down to what is known. */
  async include(hash: string): Promise<void> {
    let next = hash;
    for (let count = 0; count < longestWalk; count += 1) {
      if (this.standing(next) !== null) return;
      const known = this.#loose.get(next);
      if (known !== undefined) {
        next = known.parent;
        continue;
      }
      const header = (await this.#node.request('chain_getHeader', [next])) as HeaderJson | null;
      if (header === null) return;
      const number = Number(header.number);
      const [canonical] = (await this.#node.request('chain_getBlockHash', [[number]])) as (string | null)[];
      this.#add({ hash: next, header });
      if (canonical === next || number === 0) return;
      next = header.parentHash;
    }
  }

  /** Takes what is known of a block now that its body was read: only then can it be folded. */
  learn(block: Headed): void {
    if (this.#loose.has(block.hash)) this.#add(block);
  }

  /** Loads the newest blocks of a stretch of the best chain, `blocksPerLoad` at most. */
  async load({ low, high }: Span): Promise<void> {
    const count = Math.min(blocksPerLoad, high - low + 1);
    const heights = Array.from({ length: count }, (_, back) => high - back);
    const hashes = (await this.#node.request('chain_getBlockHash', [heights])) as (string | null)[];
    const told = heights.map((height, at) => [height, hashes[at] ?? null] as const);
    await this.#addAll(hashes.filter((hash) => hash !== null));
    this.#canonical = new Map([...this.#canonical, ...told]);
  }

  /** Blocks are taken once; what a header says does not change. */
  #toSlotted({ hash, header, extrinsics }: Headed): Slotted {
    const known = this.#slotted.get(hash);
    if (known && (known.isEmpty !== null || extrinsics === undefined)) return known;
    const claim = claimOf(header.digest.logs);
    const { parentHash: parent } = header;
    const number = Number(header.number);
    const isEmpty =
      extrinsics === undefined
        ? null
        : number > 0 &&
          !header.digest.logs.includes(upgradeLog) &&
          extrinsics.every((hex) => readShape(hex).kind === 'inherent');
    const block = { hash, parent, number, slot: claim?.slot ?? null, isEmpty };
    if (this.#slotted.size > keptHeaders * 20) this.#slotted.clear();
    this.#slotted.set(hash, block);
    return block;
  }

  #known() {
    return { finalized: this.#chain.finalized, canonical: this.#canonical };
  }

  /** All blocks, parents before their children. */
  #collect(): readonly Slotted[] {
    // What is known of a block since it was first heard of counts: whether it is empty.
    const all = new Map([...this.#loose].map(([hash, block]) => [hash, this.#slotted.get(hash) ?? block]));
    for (const block of this.#chain.liveBlocks) all.set(block.hash, this.#toSlotted(block));
    return [...all.values()].toSorted((a, b) => a.number - b.number);
  }

  #compute(): TreeLayout {
    if (this.#chain.paused && this.#held !== null) return this.#held;
    const slotMs = this.#slotMs;
    const timed = this.#blocks.map(({ slot, ...block }) => ({
      ...block,
      timeMs: slot === null ? null : slot * slotMs,
    }));
    const layout = layoutTree(timed, { ...this.#known(), best: this.#chain.best?.hash ?? null });
    this.#held = layout;
    return layout;
  }

  #add(item: Headed): void {
    this.#waiting.push(item);
    this.#take();
  }

  /** Forks that grew before somebody looked: the blocks above the finalized one, as far as the node lists them by height. */
  async #findForks(isOpen: () => boolean): Promise<void> {
    const numberOf = async (params: readonly string[]): Promise<number> =>
      Number(((await this.#node.request('chain_getHeader', params)) as HeaderJson).number);
    const best = await numberOf([]);
    const finalized = await numberOf([(await this.#node.request('chain_getFinalizedHead', [])) as string]);
    for (
      let low = Math.max(finalized, best - keptHeaders) + 1;
      isOpen() && low <= best;
      low += heightsAtOnce
    ) {
      const heights = Array.from({ length: Math.min(heightsAtOnce, best - low + 1) }, (_, at) => low + at);
      // One block alone is on the best chain, whose blocks the list has.
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

  async #hashesAt(height: number): Promise<readonly string[]> {
    return (await this.#node.request('archive_v1_hashByHeight', [height])) as readonly string[];
  }

  async #addAll(hashes: readonly string[]): Promise<void> {
    const blocks = await Promise.all(hashes.map((hash) => this.#chain.loadBlock(hash)));
    for (const block of blocks) if (block !== null) this.#add(block);
  }

  #open(): () => void {
    let open = true;
    const subscription = this.#node.subscribe(
      'chain_subscribeAllHeads',
      [],
      'chain_unsubscribeAllHeads',
      (value) => {
        const header = value as HeaderJson;
        // The hash of a header is not told: it is computed, by code that loads when it is first needed.
        void import('../meta/hash.ts').then(({ headerHash }) => {
          if (open) this.#add({ hash: headerHash(header), header });
        });
      },
    );
    subscription.opened.catch(() => undefined);
    void this.#findForks(() => open).catch(() => undefined);
    void loadSlotMs(this.#node).then((ms) => {
      this.#slotMs = ms ?? usualSlotMs;
    });
    return () => {
      open = false;
      subscription.close();
    };
  }
}
