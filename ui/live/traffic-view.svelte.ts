import { type Body, type Exchange, type Note, previewBody } from '../state/exchange.ts';
import type { Traffic } from '../state/traffic.svelte.ts';
import { Tail } from './tail.svelte.ts';

/** States of an exchange that can be looked for. */
export const statuses = ['ok', 'error', 'pending', 'open'] as const;

/** What is looked for; empty texts let everything through. */
export type TrafficFilter = {
  /** Words in method, client, request or answer (the first 2,000 characters of each). */
  readonly text: string;
  /** Part of the method's name. */
  readonly method: string;
  readonly client: string;
  readonly status: '' | (typeof statuses)[number];
  /** Whether reads that the page makes by itself are shown too. */
  readonly own: boolean;
};

/** One line of the log: an exchange, or a notification under it. */
export type TrafficRow = {
  readonly key: string;
  readonly exchange: Exchange;
  readonly note: Note | null;
  readonly isOpen: boolean;
  readonly version: number;
};

/** What is shown beside the log. */
export type Picked = { readonly exchange: Exchange; readonly note: Note | null };

/** A log to look at: that of the node, or of a recording. */
export type TrafficSource = Pick<Traffic, 'exchanges' | 'opened' | 'messages' | 'missed' | 'clear'>;

export const noFilter: TrafficFilter = { text: '', method: '', client: '', status: '', own: false };

const searched = 2000;
const previews = new WeakMap<Body, string>();
/** The beginning of a message in lower case; bodies never change, so that it is made once. */
const searchText = (body: Body | null): string => {
  if (body === null) return '';
  const known = previews.get(body);
  if (known !== undefined) return known;
  const text = previewBody(body, searched).toLowerCase();
  previews.set(body, text);
  return text;
};

const hasWords = (words: readonly string[], ...texts: readonly string[]): boolean =>
  words.every((word) => texts.some((text) => text.includes(word)));

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

const headMatches = (exchange: Exchange, words: readonly string[]): boolean =>
  hasWords(
    words,
    exchange.method.toLowerCase(),
    exchange.client,
    words.length === 0 ? '' : searchText(exchange.ask),
    words.length === 0 ? '' : searchText(exchange.answer),
  );

const noteMatches = (note: Note, words: readonly string[]): boolean => hasWords(words, searchText(note.body));

/** Whether an exchange, or one of its notifications, is what is looked for. */
export const matches = (exchange: Exchange, filter: TrafficFilter): boolean => {
  if (exchange.isOwn && !filter.own) return false;
  if (filter.client !== '' && exchange.client !== filter.client) return false;
  if (filter.status !== '' && exchange.state !== filter.status) return false;
  if (!exchange.method.toLowerCase().includes(filter.method.toLowerCase())) return false;
  const words = wordsOf(filter.text);
  return headMatches(exchange, words) || exchange.notes.some((note) => noteMatches(note, words));
};

/** How somebody looks at the traffic: what is filtered, unfolded, picked, and whether it stands still. */
export class TrafficView {
  readonly traffic: TrafficSource;
  filter = $state.raw<TrafficFilter>(noFilter);
  #unfolded = $state.raw<ReadonlySet<number>>(new Set());
  #picks = $state.raw<readonly Picked[]>([]);
  #rowOf = new WeakMap<object, TrafficRow>();

  readonly tail: Tail<Exchange>;

  constructor(traffic: TrafficSource) {
    this.traffic = traffic;
    this.tail = new Tail(() => ({ list: traffic.exchanges, total: traffic.opened }));
  }

  /** The log changes in place: a copy, but of what stands still. */
  #all = $derived.by(() => (this.tail.still ? this.tail.list : [...this.tail.list]));
  #matching = $derived.by(() => {
    const { filter } = this;
    // Bodies and states change in place: the log says when.
    void this.traffic.messages;
    return this.#all.filter((exchange) => matches(exchange, filter));
  });
  readonly rows = $derived.by(() => this.#matching.flatMap((exchange) => this.#rowsOf(exchange)));

  /** Exchanges that the filter lets through. */
  get shown(): number {
    return this.#matching.length;
  }

  /** Exchanges that are kept and not hidden as the page's own. */
  get total(): number {
    return this.filter.own ? this.#all.length : this.#all.length - this.own;
  }

  /** Kept exchanges that are the page's own. */
  get own(): number {
    return this.#all.filter(({ isOwn }) => isOwn).length;
  }

  /** How many that the filter lets through came since the list stands still. */
  get waiting(): number {
    const { since } = this.tail;
    if (since === null) return 0;
    // Ids count what was opened.
    return this.traffic.exchanges.filter(({ id }) => id > since).filter((one) => matches(one, this.filter))
      .length;
  }

  /** Everybody who said something. */
  get clients(): readonly string[] {
    return [
      ...new Set(this.#all.filter(({ isOwn }) => this.filter.own || !isOwn).map(({ client }) => client)),
    ].sort();
  }

  get picks(): readonly Picked[] {
    return this.#picks;
  }

  /** Changes when the picked exchange does. */
  versionOf({ exchange }: Picked): number {
    void this.traffic.messages;
    return exchange.version;
  }

  isUnfolded(exchange: Exchange): boolean {
    return this.#unfolded.has(exchange.id);
  }

  fold(exchange: Exchange): void {
    const next = new Set(this.#unfolded);
    if (!next.delete(exchange.id)) next.add(exchange.id);
    this.#unfolded = next;
  }

  pick(pick: Picked): void {
    this.#picks = [pick];
  }

  /** Puts a second one beside the picked one, or takes it away. */
  compare(pick: Picked): void {
    const rest = this.#picks.filter(({ exchange, note }) => exchange !== pick.exchange || note !== pick.note);
    this.#picks = rest.length < this.#picks.length ? rest : [...rest.slice(0, 1), pick];
  }

  unpick(): void {
    this.#picks = [];
  }

  clear(): void {
    this.#picks = [];
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

  /** The same object while nothing of it changed, so that the list leaves its line alone. */
  #row(of: object, exchange: Exchange, note: Note | null, isOpen: boolean, version: number): TrafficRow {
    const known = this.#rowOf.get(of);
    if (known !== undefined && known.version === version && known.isOpen === isOpen) return known;
    const key = note === null ? `${exchange.id}` : `${exchange.id}:${note.id}`;
    const row: TrafficRow = { key, exchange, note, isOpen, version };
    this.#rowOf.set(of, row);
    return row;
  }
}
