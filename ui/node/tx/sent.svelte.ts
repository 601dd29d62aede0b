import type { Era } from '../../../src/scale/era.ts';
import { extrinsicHash } from '../../../src/scale/hash.ts';
import { decodeValidity } from '../../../src/scale/validity.ts';
import { type Persisted, persisted } from '../../kit/page/persisted.ts';
import { watch } from '../../kit/page/watch.svelte.ts';
import { faultText, isLost, rawFault } from '../../kit/text/format.ts';
import { callRefusalText } from '../client/call-refusal.ts';
import type { UiNode } from '../client/ui-node.ts';
import { findExtrinsic, readOutcome } from '../load-outcome.ts';
import type { MetadataOfBlocks } from '../metadata.svelte.ts';
import { type PageContext, usePageContext } from '../page-context.ts';
import { Cleared } from './cleared.svelte.ts';
import { fromStored, isSent, leaveBlock, lose, maxSent, maxText, toStored } from './kept-sent.ts';
import { LostSearch, type SearchedChain } from './lost-search.ts';
import { type Again, noNews, type SentItem } from './sent-item.ts';
import { validityParams } from './signing.ts';
import { invalidText, isAlreadyInPool, reasonOf, refusalOf } from './tx-status.ts';

const lastStatuses: readonly string[] = ['finalized', 'finalityTimeout', 'usurped', 'dropped', 'invalid'];

const readStatus = (status: unknown): { readonly name: string; readonly hash: string | null } => {
  if (typeof status === 'string') return { name: status, hash: null };
  const [name = 'unknown', value] = Object.entries((status ?? {}) as Record<string, unknown>)[0] ?? [];
  return { name, hash: typeof value === 'string' ? value : null };
};

/** A signed extrinsic, as a 0x string, and its era if it is mortal. */
export type Signed = { readonly hex: string; readonly era?: Era | undefined };

/** What else is known of a transaction that is submitted. */
type More = { readonly id?: string; readonly again?: Again; readonly isFirst?: boolean };

/**
 * Transactions sent from this page, newest first, each tracked to its last status. A list with a key survives
 * a reload.
 */
export class Sent {
  #node: UiNode;
  #metadata: Pick<MetadataOfBlocks, 'of'>;
  items = $state.raw<readonly SentItem[]>([]);
  #cleared: Cleared;
  #kept: Persisted<SentItem>;
  #search: LostSearch;

  /** The list is stored under the id `chain`, until `ended` is aborted. */
  constructor(
    node: UiNode,
    metadata: Pick<MetadataOfBlocks, 'of'>,
    chain: string | null = null,
    ended?: AbortSignal,
  ) {
    this.#node = node;
    this.#metadata = metadata;
    const key = chain === null ? null : `tabnode.sent.${chain}`;
    this.#kept = persisted({
      ...{ store: localStorage, key, isMember: isSent, limit: maxText, ended },
      list: () => this.items.map(toStored),
      merge: () => this.#join(),
    });
    this.#search = new LostSearch(node, {
      items: () => this.items,
      take: (id, status) => void this.#take(id, status),
      change: (id, change) => this.#change(id, () => change),
    });
    this.items = this.#stored();
    this.#cleared = new Cleared(key, ended, () => {
      this.#set(this.#cleared.without(this.items));
      this.#join();
    });
  }

  /** Whether the last clearing can be undone. */
  get hasCleared(): boolean {
    return this.#cleared.hasLast;
  }

  /** Removes completed transactions, and those whose status was lost. */
  clear(): void {
    this.#cleared.clear(this.items);
    this.#set(this.#cleared.without(this.items));
  }

  undoClear(): void {
    this.#set([...this.items, ...this.#cleared.restore()].sort((a, b) => b.atMs - a.atMs));
  }

  /**
   * Searches for transactions that were in flight when the page was closed: once at the start, then with each
   * block until they are final or can no longer be included.
   */
  follow(chain: SearchedChain): Promise<void> {
    return this.#search.follow(chain);
  }

  /** The transaction with this hash; of several submissions, the one that the node has taken. Null if there is none. */
  find(hash: string): SentItem | null {
    const items = this.items.filter((item) => item.hash === hash);
    return items.find(({ refused }) => refused === null) ?? items[0] ?? null;
  }

  /**
   * Submits an extrinsic, once it is signed, and tracks its status; resolves when the node has accepted or rejected it.
   * It is in the list from the start, so that one that cannot be signed is not lost without a word.
   */
  async submit(
    signed: string | Signed | (() => Promise<Signed>),
    label: string,
    by: string,
    args = '',
    exact = args,
    { id = crypto.randomUUID(), again = typeof signed === 'function' ? 'next' : 'bytes', isFirst }: More = {},
  ): Promise<SentItem | null> {
    const item: SentItem = {
      id,
      hash: '',
      hex: null,
      label,
      args,
      exact,
      by,
      again,
      isFirst,
      atMs: Date.now(),
      steps: [],
      ...noNews,
    };
    this.#set([item, ...this.items].slice(0, maxSent));
    try {
      const { hex, era }: Signed =
        typeof signed === 'function' ? await signed() : typeof signed === 'string' ? { hex: signed } : signed;
      this.#change(id, () => ({ hex, era, hash: extrinsicHash(hex) }));
      // Whatever ends the page from here on, this one may have been sent.
      this.#kept.write();
      const subscription = this.#node.subscribe(
        'author_submitAndWatchExtrinsic',
        [hex],
        'author_unwatchExtrinsic',
        (status) => {
          if (this.#take(id, status)) subscription.close();
        },
      );
      await subscription.opened;
    } catch (fault) {
      this.#change(id, (item) =>
        item.hash !== '' && (isLost(fault) || isAlreadyInPool(fault))
          ? lose(item, Date.now())
          : {
              refused: refusalOf(item, fault) ?? (callRefusalText(null, [], fault) || faultText(fault)),
              raw: rawFault(fault),
              open: false,
            },
      );
      void this.#search.follow();
    }
    return this.items.find((one) => one.id === id) ?? null;
  }

  #set(items: readonly SentItem[]): void {
    this.items = items;
    this.#kept.writeSoon();
  }

  #stored(): readonly SentItem[] {
    return this.#kept.read().slice(0, maxSent).map(fromStored);
  }

  /** Adds what another tab has sent, and how it ended there: the tab that sent it watches it. */
  #join(): void {
    const stored = this.#stored();
    const ended = new Map(stored.flatMap((item) => (item.open ? [] : [[item.id, item] as const])));
    const known = new Set(this.items.map(({ id }) => id));
    // Whether one that is not signed yet will be sent, only its own tab knows.
    const added = stored.filter(({ id, hash }) => hash !== '' && !known.has(id) && !this.#cleared.has(id));
    this.items = [...this.items.map((item) => (item.lost && ended.get(item.id)) || item), ...added]
      .sort((a, b) => b.atMs - a.atMs)
      .slice(0, maxSent);
    void this.#search.follow();
  }

  #change(id: string, change: (item: SentItem) => Partial<SentItem>): void {
    this.#set(this.items.map((item) => (item.id === id ? { ...item, ...change(item) } : item)));
  }

  /** Records a status; returns true for a final one. */
  #take(id: string, status: unknown): boolean {
    const { name, hash } = readStatus(status);
    const isLast = lastStatuses.includes(name);
    // A status without a block, or that it has left its block, ends what is known of one.
    const isOut = hash === null || name === 'retracted';
    this.#change(id, (item) => ({
      steps: [...item.steps, { name, hash, atMs: Date.now() }],
      open: !isLast,
      lost: item.lost && !isLast,
      why: reasonOf(item, name),
      ...(isOut && { ...leaveBlock(item), events: [], outcome: null }),
    }));
    if (name === 'invalid') void this.#explain(id);
    if ((name === 'inBlock' || name === 'finalized') && hash !== null) void this.#read(id, name, hash);
    return isLast;
  }

  /** The transaction, unless its last status is another one by now. */
  #still(id: string, name: string, hash: string | null): SentItem | undefined {
    const item = this.items.find((one) => one.id === id);
    const last = item?.steps.at(-1);
    // The block may have been finalized in the meantime.
    const isSame = last?.name === name || (name === 'inBlock' && /^final/.test(last?.name ?? ''));
    return isSame && last?.hash === hash ? item : undefined;
  }

  /** Asks the runtime why a transaction has become invalid: the node's status has no reason. */
  async #explain(id: string): Promise<void> {
    const hex = this.items.find((one) => one.id === id)?.hex ?? '';
    let why = 'The node gives no reason. Check the nonce, the expiry and the balance.';
    try {
      const best = await this.#node.request('chain_getBlockHash', []);
      const answer = await this.#node.request('state_call', validityParams(hex, String(best)));
      const validity = decodeValidity(String(answer));
      why =
        validity.kind === 'invalid'
          ? validity.text
          : 'It was removed from the pool, alone or with one it needs, or a block on another branch refused it. Send it again.';
    } catch {
      // The general sentence stays.
    }
    if (this.#still(id, 'invalid', null)) this.#change(id, (item) => ({ why: invalidText(item, why) }));
  }

  /**
   * Reads the events of the extrinsic in a block, with the metadata of the runtime that executed it. They are dropped
   * if the transaction is no longer in that block when they arrive.
   */
  async #read(id: string, name: string, hash: string): Promise<void> {
    const item = this.items.find((one) => one.id === id);
    if (!item || (item.outcome !== null && item.block?.hash === hash)) return;
    const update = (change: (item: SentItem) => Partial<SentItem>): void => {
      if (this.#still(id, name, hash)) this.#change(id, change);
    };
    try {
      const isIt = (hex: string) => hex === item.hex || extrinsicHash(hex) === item.hash;
      const place = await findExtrinsic(this.#node, hash, isIt);
      if (place === null) return;
      const { index, header } = place;
      // A search knows whether the block is on a fork.
      update(({ block }) => ({
        block: { ...(block?.hash === hash && block), hash, number: Number(header.number), index },
      }));
      const read = await readOutcome(this.#node, this.#metadata, place);
      update(() => read);
    } catch (fault) {
      update(() => ({ outcome: { kind: 'failed', text: `could not be read: ${faultText(fault)}` } }));
    }
  }
}

/**
 * The list of the open chain. Only the page that runs the chain stores it, because other windows would
 * overwrite it.
 */
export const keepSent = ({
  node,
  metadata,
  session,
  keep,
}: Pick<PageContext, 'node' | 'metadata' | 'session' | 'keep'>): Sent =>
  keep('send.sent', (ended) => new Sent(node, metadata, session?.entry?.id ?? null, ended));

/** The same list, for a component: with each block, it searches for the transactions that nobody watches. */
export const useSent = (): Sent => {
  const context = usePageContext();
  const { chain } = context;
  const sent = keepSent(context);
  watch(
    () => [chain.best, chain.finalized] as const,
    ([best]) => best && sent.follow(chain),
  );
  return sent;
};
