import type { BlockEvent, DispatchOutcome } from '../../../../src/scale/events.ts';
import { fromHex } from '../../../../src/scale/hex.ts';
import type { RuntimeMeta } from '../../../../src/scale/types.ts';
import { faultText, groupDigits, isDiscarded } from '../../../kit/text/format.ts';
import type { BlockItem } from '../../../node/chain-view.svelte.ts';
import { claimOf, type DigestItem } from '../../../node/consensus/read-digest.ts';
import { isMissingMethod, loadAuraAuthorities, loadEpoch } from '../../../node/consensus/read-epoch.ts';
import type { PageContext } from '../../../node/page-context.ts';
import type { WriteAmount } from '../../../node/storage/summary.ts';
import type { BlockWeights, describeExtrinsic, ExtrinsicWords } from '../list/describe.ts';

/** A justification as the node stores it. */
export type Justification = { readonly engine: string; readonly bytes: Uint8Array };

export type Events = {
  /** Null until they are read. */
  readonly list: readonly BlockEvent[] | null;
  readonly fault: string | null;
  /** The value of System.Events, which the offsets of the events refer to. */
  readonly bytes: Uint8Array;
  /** By the index of the extrinsic. */
  readonly outcomes: ReadonlyMap<number, DispatchOutcome>;
};

/** The outcome of an extrinsic; while it is read, or if it is not known, why. */
export type KnownOutcome =
  | Exclude<DispatchOutcome, { kind: 'unknown' }>
  | { readonly kind: 'reading' }
  | { readonly kind: 'unknown'; readonly why: string };

export type Author = { readonly claim: NonNullable<DigestItem['claim']>; readonly id: string | null };

/**
 * What the page shows of a block beyond its header: metadata, events, weights and author. All of it is read
 * once, on construction.
 */
export class BlockDetails {
  readonly block: BlockItem;
  #context: Pick<PageContext, 'node' | 'metadata'>;
  meta = $state.raw<RuntimeMeta | null>(null);
  /** Why the metadata could not be read; null otherwise. Without it, everything is shown as bytes. */
  metaFault = $state.raw<string | null>(null);
  /** What the node keeps, if it has discarded the block's state: then there are no events, weights and author. */
  discarded = $state.raw<string | null>(null);
  events = $state.raw<Events>({ list: null, fault: null, bytes: new Uint8Array(), outcomes: new Map() });
  weights = $state.raw<BlockWeights | null>(null);
  author = $state.raw<Author | null>(null);
  /** Why the author's key could not be read; null otherwise. */
  authorFault = $state.raw<string | null>(null);
  #words: typeof describeExtrinsic | null = null;

  constructor(context: Pick<PageContext, 'node' | 'metadata'>, block: BlockItem) {
    this.#context = context;
    this.block = block;
    void this.#read();
    void this.readAuthor();
  }

  outcome(index: number): KnownOutcome {
    const found = this.events.outcomes.get(index);
    if (found !== undefined && found.kind !== 'unknown') return found;
    if (this.discarded !== null) return { kind: 'unknown', why: this.discarded };
    if (this.metaFault !== null)
      return { kind: 'unknown', why: 'The metadata of the block’s runtime cannot be read.' };
    if (this.events.fault !== null)
      return { kind: 'unknown', why: `The events of the block cannot be read: ${this.events.fault}` };
    if (this.events.list === null) return { kind: 'reading' };
    return { kind: 'unknown', why: 'No event of the block says whether it succeeded.' };
  }

  eventsOf(index: number | null): readonly BlockEvent[] {
    return (this.events.list ?? []).filter((event) => event.extrinsic === index);
  }

  /** Call, signer and arguments of an extrinsic; null without metadata, or if it cannot be decoded. */
  words(hex: string, amount: WriteAmount = groupDigits): ExtrinsicWords | null {
    if (this.meta === null || this.#words === null) return null;
    try {
      return this.#words(this.meta, hex, amount);
    } catch {
      return null;
    }
  }

  /**
   * Loads the justifications stored with the block. They arrive with finality, after the block. Rejects with
   * the node's errors.
   */
  async loadJustifications(): Promise<readonly Justification[]> {
    const signed = await this.#context.node.request('chain_getBlock', [this.block.hash]);
    return (signed?.justifications ?? []).map(([engine, bytes]) => ({
      engine: String.fromCharCode(...engine),
      bytes: Uint8Array.from(bytes),
    }));
  }

  async #read(): Promise<void> {
    try {
      const [meta, { describeExtrinsic }] = await Promise.all([
        this.#context.metadata.of(this.block.hash, this.block.header),
        import('../list/describe.ts'),
      ]);
      this.#words = describeExtrinsic;
      this.meta = meta;
    } catch (fault) {
      if (isDiscarded(fault)) return this.#readBody(faultText(fault));
      this.metaFault = faultText(fault);
    }
    await this.#readEvents(this.meta);
    if (this.meta !== null) await this.#readWeights(this.meta);
  }

  /** Without the block's state, its runtime is not known: the body is decoded by the best block's. */
  async #readBody(why: string): Promise<void> {
    this.discarded = why;
    this.events = { ...this.events, list: [] };
    try {
      this.#words = (await import('../list/describe.ts')).describeExtrinsic;
      this.meta = await this.#context.metadata.of(null);
    } catch (fault) {
      this.metaFault = faultText(fault);
    }
  }

  /** Without metadata, the events stay bytes and their list is empty. */
  async #readEvents(meta: RuntimeMeta | null): Promise<void> {
    try {
      const decoding = await import('../../../../src/scale/events.ts');
      const value = await this.#stored(decoding.eventsKey);
      this.events = { ...this.events, bytes: value === null ? new Uint8Array() : fromHex(value) };
      const list = meta === null ? [] : decoding.decodeEvents(meta, value);
      const groups = Map.groupBy(list, ({ extrinsic }) => extrinsic);
      const outcomes = new Map(
        [...groups].flatMap(([index, group]) =>
          index === null || meta === null ? [] : [[index, decoding.outcomeOf(meta, group, index)] as const],
        ),
      );
      this.events = { ...this.events, list, outcomes };
    } catch (fault) {
      this.events = { ...this.events, list: [], fault: faultText(fault) };
    }
  }

  async #readWeights(meta: RuntimeMeta): Promise<void> {
    const { readWeights, weightKey } = await import('../list/describe.ts');
    try {
      this.weights = readWeights(meta, await this.#stored(weightKey));
    } catch {
      // The runtime may encode weights differently; then none are shown.
      this.weights = null;
    }
  }

  /** Reads who claimed the slot, if the header has a slot claim. */
  async readAuthor(): Promise<void> {
    const claim = claimOf(this.block.header.digest.logs);
    if (claim === null) return;
    this.author = { claim, id: null };
    this.authorFault = null;
    try {
      this.author = await this.#findAuthor(claim);
    } catch (fault) {
      // An old runtime may lack the method; that is not a failure.
      if (!isMissingMethod(fault) && !isDiscarded(fault)) this.authorFault = faultText(fault);
    }
  }

  async #findAuthor(claim: Author['claim']): Promise<Author> {
    const { hash, header } = this.block;
    const { node } = this.#context;
    if (claim.authority === null) {
      const list = (await loadAuraAuthorities(node, header.parentHash)) ?? [];
      const index = claim.slot % Math.max(1, list.length);
      return { claim: { ...claim, authority: index }, id: list[index] ?? null };
    }
    const epoch = await loadEpoch(node, hash);
    return { claim, id: epoch?.authorities[claim.authority]?.id ?? null };
  }

  #stored(key: string): Promise<string | null> {
    return this.#context.node.request('state_getStorage', [key, this.block.hash]);
  }
}
