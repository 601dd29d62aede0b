import { callRefusalText } from '../../client/method-info.ts';
import type { UiNode } from '../../client/ui-node.ts';
import { extrinsicHash } from '../../meta/hash.ts';
import { decodeValidity } from '../../meta/validity.ts';
import { saveAtEnd } from '../../page/disposable.svelte.ts';
import { faultText, isLost, rawFault } from '../../text/format.ts';
import type { ChainView } from '../chain-view.svelte.ts';
import { loadOutcome } from '../load-outcome.ts';
import type { Metas } from '../metas.svelte.ts';
import type { PageContext } from '../page-context.ts';
import { Cleared } from './cleared.svelte.ts';
import { lose, maxSent, readSent, writeSent } from './kept-sent.ts';
import type { SentItem } from './sent-item.ts';
import { validityParams } from './signing.ts';
import { TxSearch } from './tx-search.svelte.ts';

const lastStatuses: readonly string[] = ['finalized', 'finalityTimeout', 'usurped', 'dropped', 'invalid'];

const readStatus = (status: unknown): { readonly name: string; readonly hash: string | null } => {
  if (typeof status === 'string') return { name: status, hash: null };
  const [name = 'unknown', value] = Object.entries((status ?? {}) as Record<string, unknown>)[0] ?? [];
  return { name, hash: typeof value === 'string' ? value : null };
};

const writeDelayMs = 300;

/** Why a transaction leaves the pool with this status. */
const reasons: Readonly<Record<string, string>> = {
  usurped: 'Another transaction with the same nonce replaced it.',
  dropped: 'The pool had no room for it.',
};

/**
 * Transactions sent from this page, newest first, each tracked to its last status. A list with a key survives
 * a reload.
 */
export class Sent {
  #node: UiNode;
  #metas: Pick<Metas, 'of'>;
  items = $state.raw<readonly SentItem[]>([]);
  #cleared: Cleared;
  /** Whether the list differs from what is stored. */
  #isChanged = false;
  #key: string | null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #searches = new Map<string, TxSearch>();
  /** The chain that is searched; null before the first search. */
  #chain: ChainView | null = null;
  #looking = false;
  #again = false;

  /** The list is stored under the id `chain`, until `ended` is aborted. */
  constructor(node: UiNode, metas: Pick<Metas, 'of'>, chain: string | null = null, ended?: AbortSignal) {
    this.#node = node;
    this.#metas = metas;
    this.#key = chain === null ? null : `tabnode.sent.${chain}`;
    if (this.#key !== null) this.items = readSent(this.#key, Date.now());
    this.#cleared = new Cleared(this.#key, ended, () => {
      this.#set(this.#cleared.without(this.items));
      this.#join();
    });
    if (ended === undefined) return;
    // Otherwise another tab may have stored the list since.
    saveAtEnd(ended, () => {
      if (this.#isChanged) this.#write();
    });
    // Other tabs of the chain store the same list.
    addEventListener('storage', ({ key }) => key === this.#key && this.#join(), { signal: ended });
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
   * block.
   */
  async follow(chain: ChainView): Promise<void> {
    this.#chain = chain;
    this.#again = true;
    if (this.#looking) return;
    this.#looking = true;
    try {
      while (this.#again) {
        this.#again = false;
        await this.#findGone();
        for (const item of this.items.filter(({ lost }) => lost)) await this.#find(item, chain);
      }
    } finally {
      this.#looking = false;
    }
  }

  /**
   * Looks again for transactions whose finalized block has left the chain, for example after a rollback or a
   * reset. If one of these blocks is still there, so are those below it.
   */
  async #findGone(): Promise<void> {
    const final = this.items.flatMap(({ id, block, steps }) =>
      block !== null && steps.at(-1)?.name === 'finalized' ? [{ id, ...block }] : [],
    );
    for (const { id, number, hash } of final.sort((a, b) => b.number - a.number)) {
      const now = await this.#node.request('chain_getBlockHash', [number]).catch(() => hash);
      if (now === hash) return;
      this.#searches.delete(id);
      this.#change(id, () => ({ lost: true, open: true, block: null, events: [], outcome: null }));
    }
  }

  async #find({ id, hash, steps }: SentItem, chain: ChainView): Promise<void> {
    const known = this.#searches.get(id);
    const search = known ?? new TxSearch(this.#node, chain, hash);
    this.#searches.set(id, search);
    await (known === undefined ? search.search() : search.follow(chain.best?.number ?? 0));
    const { place } = search;
    const isFinal = place?.kind === 'block' && place.best && place.number <= chain.finalized;
    const name =
      place === null
        ? search.fault === null
          ? 'not included'
          : 'unknown'
        : place.kind === 'pool'
          ? place.queue
          : isFinal
            ? 'finalized'
            : 'inBlock';
    if (steps.at(-1)?.name === name) return;
    const at = place?.kind === 'block' ? place.block : null;
    this.#take(id, at === null ? name : { [name]: at });
    if (place?.kind === 'block')
      this.#change(id, () => ({ block: { hash: place.block, number: place.number, index: place.index } }));
  }

  /**
   * Submits an extrinsic, once it is signed, and tracks its status; resolves when the node has accepted or rejected it.
   * It is in the list from the start, so that one that cannot be signed is not lost without a word.
   */
  async submit(
    signed: string | (() => Promise<string>),
    label: string,
    by: string,
    args = '',
    exact = args,
  ): Promise<SentItem | null> {
    const id = crypto.randomUUID();
    const item: SentItem = {
      id,
      hash: '',
      hex: null,
      label,
      args,
      exact,
      by,
      atMs: Date.now(),
      steps: [],
      refused: null,
      open: true,
      lost: false,
      block: null,
      events: [],
      outcome: null,
    };
    this.#set([item, ...this.items].slice(0, maxSent));
    try {
      const hex = typeof signed === 'string' ? signed : await signed();
      this.#change(id, () => ({ hex, hash: extrinsicHash(hex) }));
      // Whatever ends the page from here on, this one may have been sent.
      this.#write();
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
        item.hash !== '' && isLost(fault)
          ? lose(item, Date.now())
          : {
              refused: callRefusalText(null, [], fault) || faultText(fault),
              raw: rawFault(fault),
              open: false,
            },
      );
    }
    return this.items.find((one) => one.id === id) ?? null;
  }

  #set(items: readonly SentItem[]): void {
    this.items = items;
    this.#isChanged = true;
    if (this.#key !== null) this.#timer ??= setTimeout(() => this.#write(), writeDelayMs);
  }

  /** Adds what another tab has sent, and how it ended there: the tab that sent it watches it. */
  #join(): void {
    if (this.#key === null) return;
    const stored = readSent(this.#key, Date.now());
    const ended = new Map(stored.flatMap((item) => (item.open ? [] : [[item.id, item] as const])));
    const known = new Set(this.items.map(({ id }) => id));
    // Whether one that is not signed yet will be sent, only its own tab knows.
    const added = stored.filter(({ id, hash }) => hash !== '' && !known.has(id) && !this.#cleared.has(id));
    this.items = [...this.items.map((item) => (item.lost && ended.get(item.id)) || item), ...added]
      .sort((a, b) => b.atMs - a.atMs)
      .slice(0, maxSent);
    if (this.#chain !== null) void this.follow(this.#chain);
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isChanged = false;
    try {
      if (this.#key !== null) writeSent(this.#key, this.items);
    } catch {
      // Storage is full: keep what was stored before.
    }
  }

  #change(id: string, change: (item: SentItem) => Partial<SentItem>): void {
    this.#set(this.items.map((item) => (item.id === id ? { ...item, ...change(item) } : item)));
  }

  /** Records a status; returns true for a final one. */
  #take(id: string, status: unknown): boolean {
    const { name, hash } = readStatus(status);
    const isLast = lastStatuses.includes(name);
    this.#change(id, ({ steps, lost }) => ({
      steps: [...steps, { name, hash, atMs: Date.now() }],
      open: !isLast,
      lost: lost && !isLast,
      why: reasons[name],
      // A status without a block ends what is known of one, such as after a rollback.
      ...(hash === null && { block: null, events: [], outcome: null }),
    }));
    if (name === 'invalid') void this.#explain(id);
    if ((name === 'inBlock' || name === 'finalized') && hash !== null) void this.#read(id, hash);
    return isLast;
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
          : 'It was removed from the pool, alone or with one it needs.';
    } catch {
      // The general sentence stays.
    }
    this.#change(id, () => ({ why }));
  }

  /** The bytes of an extrinsic in a block: those of a long one are not kept over a reload. */
  async #extrinsicOf(extrinsic: string, block: string): Promise<string> {
    const signed = await this.#node.request('chain_getBlock', [block]);
    return signed?.block.extrinsics.find((hex) => extrinsicHash(hex) === extrinsic) ?? '';
  }

  /** Reads the events of the extrinsic in a block, with the metadata of the runtime that executed it. */
  async #read(id: string, hash: string): Promise<void> {
    const item = this.items.find((one) => one.id === id);
    if (!item || (item.outcome !== null && item.block?.hash === hash)) return;
    try {
      const hex = item.hex ?? (await this.#extrinsicOf(item.hash, hash));
      const read = await loadOutcome(this.#node, this.#metas, hex, hash);
      if (read === null) return;
      const { index, number, events, outcome } = read;
      this.#change(id, () => ({ block: { hash, number, index }, events, outcome }));
    } catch (fault) {
      this.#change(id, () => ({
        outcome: { kind: 'failed', text: `could not be read: ${faultText(fault)}` },
      }));
    }
  }
}

/**
 * The list of the open chain. Only the page that runs the chain stores it, because other windows would
 * overwrite it.
 */
export const keepSent = ({
  node,
  metas,
  session,
  keep,
}: Pick<PageContext, 'node' | 'metas' | 'session' | 'keep'>): Sent =>
  keep('send.sent', (ended) => new Sent(node, metas, session?.entry?.id ?? null, ended));
