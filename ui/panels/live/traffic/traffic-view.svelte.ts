import { type Body, type Exchange, type Note, previewParams } from '../../../node/client/exchange.ts';
import type { Traffic } from '../../../node/client/traffic.svelte.ts';
import { FreezableList } from '../../../node/freezable-list.svelte.ts';

/** States that the filter offers. */
export const statuses = ['ok', 'error', 'unanswered', 'pending', 'open'] as const;

/** The filter of the log; an empty text matches everything. */
export type TrafficFilter = {
  /** Words in method, client, params or result (the first 2,000 characters of each). */
  readonly text: string;
  /** Substring of the method name. */
  readonly method: string;
  readonly client: string;
  readonly status: '' | (typeof statuses)[number];
  /** Whether to include reads that the page makes automatically. */
  readonly own: boolean;
};

/** One row of the log: an exchange, or one of its notifications. */
export type TrafficRow = {
  readonly key: string;
  readonly exchange: Exchange;
  readonly note: Note | null;
  readonly isOpen: boolean;
  readonly version: number;
};

/** The row whose details are open. */
export type Picked = { readonly exchange: Exchange; readonly note: Note | null };

/** A log to view: the node's, or that of a recording. */
export type TrafficSource = Pick<Traffic, 'exchanges' | 'opened' | 'versionOf' | 'missed' | 'clear'>;

export const noFilter: TrafficFilter = { text: '', method: '', client: '', status: '', own: false };

/** Where the filter of a log is kept. */
export class LogFilter {
  filter = $state.raw<TrafficFilter>(noFilter);
}

/** Characters of a message that are searched. */
export const searched = 2000;
const previews = new WeakMap<Body, string>();
/** What other clients receive is a whole message; what every message has is not searched. */
const envelope = /^\{"jsonrpc":"2\.0","id":[^,]*,"(result|error)":/;
/** The start of params, or of a result, in lower case; cached, because bodies never change. */
const searchText = (body: Body | null): string => {
  if (body === null) return '';
  const text = previews.get(body) ?? previewParams(body, searched).replace(envelope, '').toLowerCase();
  previews.set(body, text);
  return text;
};

/** Whether each word is in one of the texts. */
export const hasWords = (words: readonly string[], ...texts: readonly string[]): boolean =>
  words.every((word) => texts.some((text) => text.includes(word)));

export const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** A method in any spelling: `chain.getBlockHash`, `get_block_hash`. */
const plain = (method: string): string => method.replace(/[\W_]/g, '').toLowerCase();

const headMatches = ({ method, client, ask, answer }: Exchange, words: readonly string[]): boolean =>
  words.every((word) => {
    const name = plain(word);
    return (
      (name !== '' && plain(method).includes(name)) ||
      hasWords([word], client, searchText(ask), searchText(answer))
    );
  });

const noteMatches = (note: Note, words: readonly string[]): boolean => hasWords(words, searchText(note.body));

/** Whether an exchange, or one of its notifications, matches the filter. */
export const matches = (exchange: Exchange, filter: TrafficFilter): boolean => {
  if (exchange.isOwn && !filter.own) return false;
  if (filter.client !== '' && exchange.client !== filter.client) return false;
  if (filter.status !== '' && exchange.state !== filter.status) return false;
  if (!plain(exchange.method).includes(plain(filter.method))) return false;
  const words = wordsOf(filter.text);
  return headMatches(exchange, words) || exchange.notes.some((note) => noteMatches(note, words));
};

/** View state of the traffic log: filter, expanded rows, selection, and whether it is frozen. */
export class TrafficView {
  readonly traffic: TrafficSource;
  #filter: LogFilter;
  #unfolded = $state.raw<ReadonlySet<number>>(new Set());
  /** The row whose details are shown. */
  picked = $state.raw<Picked | null>(null);
  #rowOf = new WeakMap<object, TrafficRow>();

  readonly tail: FreezableList<Exchange>;

  constructor(traffic: TrafficSource, filter = new LogFilter()) {
    this.traffic = traffic;
    this.#filter = filter;
    this.tail = new FreezableList(() => ({ list: traffic.exchanges, total: traffic.opened }));
  }

  get filter(): TrafficFilter {
    return this.#filter.filter;
  }

  set filter(next: TrafficFilter) {
    this.#filter.filter = next;
  }

  /** A copy with each change, because the log is mutated in place, and so are the exchanges of a frozen list. */
  #all = $derived.by(() => [...this.tail.list]);
  #matching = $derived.by(() => {
    const { filter } = this;
    return this.#all.filter((exchange) => matches(exchange, filter));
  });
  readonly rows = $derived.by(() => this.#matching.flatMap((exchange) => this.#rowsOf(exchange)));

  /** Number of exchanges that match the filter. */
  get shown(): number {
    return this.#matching.length;
  }

  /** Number of kept exchanges, without the page's own if those are hidden. */
  get total(): number {
    return this.filter.own ? this.#all.length : this.#all.length - this.own;
  }

  /** Number of kept exchanges made by the page itself. */
  get own(): number {
    return this.#all.filter(({ isOwn }) => isOwn).length;
  }

  /** Number of matching exchanges added since the list was frozen. */
  get waiting(): number {
    const { since } = this.tail;
    if (since === null) return 0;
    // Ids are assigned in the order of opening.
    return this.traffic.exchanges.filter(({ id }) => id > since).filter((one) => matches(one, this.filter))
      .length;
  }

  /** Every client that appears in the log. */
  get clients(): readonly string[] {
    return [
      ...new Set(this.#all.filter(({ isOwn }) => this.filter.own || !isOwn).map(({ client }) => client)),
    ].sort();
  }

  isUnfolded(exchange: Exchange): boolean {
    return this.#unfolded.has(exchange.id);
  }

  fold(exchange: Exchange): void {
    const next = new Set(this.#unfolded);
    if (!next.delete(exchange.id)) next.add(exchange.id);
    this.#unfolded = next;
  }

  clear(): void {
    this.picked = null;
    this.traffic.clear();
    this.tail.clear();
  }

  #rowsOf(exchange: Exchange): readonly TrafficRow[] {
    const isOpen = this.#unfolded.has(exchange.id);
    const head = this.#row(exchange, exchange, null, isOpen, exchange.version);
    if (!isOpen || exchange.notes.length === 0) return [head];
    const words = wordsOf(this.filter.text);
    const notes = headMatches(exchange, words)
      ? exchange.notes
      : exchange.notes.filter((note) => noteMatches(note, words));
    return [head, ...notes.map((note) => this.#row(note, exchange, note, false, 0))];
  }

  /** Returns the same object while nothing has changed, so that its row is not rendered again. */
  #row(of: object, exchange: Exchange, note: Note | null, isOpen: boolean, version: number): TrafficRow {
    const known = this.#rowOf.get(of);
    if (known !== undefined && known.version === version && known.isOpen === isOpen) return known;
    const key = note === null ? `${exchange.id}` : `${exchange.id}:${note.id}`;
    const row: TrafficRow = { key, exchange, note, isOpen, version };
    this.#rowOf.set(of, row);
    return row;
  }
}
