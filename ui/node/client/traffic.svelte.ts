import { createSubscriber } from 'svelte/reactivity';
import { throttleFrame } from '../../kit/page/throttle.ts';
import { type Body, type Exchange, gone, type Note } from './exchange.ts';

/** Size limits of a log. */
export type TrafficLimits = {
  readonly exchanges: number;
  /** Reads of the page itself, which are counted apart: they take no place of what the user and other clients call. */
  readonly own: number;
  /** Open and pending exchanges kept beyond `exchanges`, and beyond `own`. */
  readonly open: number;
  /** Notifications per subscription. */
  readonly notes: number;
  /** Approximate characters of all bodies together. */
  readonly weight: number;
};

export const ringLimits: TrafficLimits = {
  exchanges: 2000,
  own: 200,
  open: 500,
  notes: 200,
  weight: 32 * 1024 * 1024,
};

/** The kept bodies of an exchange. */
const bodiesOf = ({ ask, answer, notes }: Exchange): readonly Body[] => [
  ask,
  ...(answer === null ? [] : [answer]),
  ...notes.map(({ body }) => body),
];

const isOpen = ({ state }: Exchange): boolean => state === 'pending' || state === 'open';

/**
 * The node's JSON-RPC traffic, in the order of opening: the newest exchanges of the user and other clients, and apart
 * from those the newest reads of the page. Readers are updated at most ten times a second.
 */
export class Traffic {
  #limits: TrafficLimits;
  #ring: Exchange[] = [];
  #nextId = 1;
  /** How many of the kept exchanges are reads of the page. */
  #ownCount = 0;
  #opened = 0;
  #last: Exchange | null = null;
  #messages = 0;
  #ownMessages = 0;
  #weight = 0;
  #missed = 0;
  #updates = new Set<() => void>();
  #tell = throttleFrame(() => {
    for (const update of [...this.#updates]) update();
  });
  #watch: () => void;
  #watchAll: () => void;
  /** Number of the best block. */
  best: () => number | undefined = () => undefined;

  /** `listen` is called when all traffic gets its first reader; what it returns, when it loses the last one. */
  constructor(listen: (traffic: Traffic) => () => void = () => () => undefined, limits = ringLimits) {
    this.#limits = limits;
    const follow = (update: () => void): (() => void) => {
      this.#updates.add(update);
      return () => void this.#updates.delete(update);
    };
    this.#watch = createSubscriber(follow);
    this.#watchAll = createSubscriber((update) => {
      const leave = follow(update);
      const stop = listen(this);
      return () => {
        stop();
        leave();
      };
    });
  }

  /** The kept exchanges, oldest first. Reading them starts to log other clients too. */
  get exchanges(): readonly Exchange[] {
    this.#watchAll();
    return this.#ring;
  }

  /** The newest exchange that is not a read of devtools. */
  get last(): Exchange | null {
    this.#watch();
    return this.#last;
  }

  /** Number of exchanges since the page was opened. */
  get opened(): number {
    this.#watch();
    return this.#opened;
  }

  /** Changes whenever the exchange does, which is mutated in place. */
  versionOf({ version }: Exchange): number {
    this.#watch();
    return version;
  }

  /** Number of messages since the page was opened: requests, responses and notifications. */
  get messages(): number {
    this.#watch();
    return this.#messages;
  }

  /** How many of them belong to reads of the page, or of the devtools of other tabs. */
  get ownMessages(): number {
    this.#watch();
    return this.#ownMessages;
  }

  /** Messages of other clients that were dropped because they came too fast. */
  get missed(): number {
    this.#watch();
    return this.#missed;
  }

  clear(): void {
    this.#drop(this.#ring.filter((exchange) => !isOpen(exchange)));
    this.#ring = this.#ring.filter(isOpen);
    this.#countOwn();
    for (const exchange of this.#ring) this.#dropNotes(exchange, exchange.notes.length);
    this.#missed = 0;
    this.#tell();
  }

  open(
    kind: Exchange['kind'],
    asked: Pick<Exchange, 'client' | 'method' | 'isOwn' | 'ask' | 'atMs'>,
  ): Exchange {
    const exchange: Exchange = {
      id: this.#nextId++,
      kind,
      ...asked,
      best: this.best(),
      state: 'pending',
      ms: null,
      answer: null,
      notes: [],
      count: 0,
      lastMs: asked.atMs,
      version: 0,
    };
    this.#opened += 1;
    if (!asked.isOwn) this.#last = exchange;
    this.#ring.push(exchange);
    if (asked.isOwn) this.#ownCount += 1;
    this.#hold(asked.ask);
    this.#cut();
    this.#tell();
    return exchange;
  }

  answer(exchange: Exchange, change: Pick<Exchange, 'state' | 'answer' | 'ms'>): void {
    Object.assign(exchange, change);
    if (change.ms !== null) exchange.lastMs = exchange.atMs + change.ms;
    if (change.answer !== null) this.#hold(change.answer);
    this.#change(exchange);
  }

  note(exchange: Exchange, body: Body, atMs: number): void {
    exchange.count += 1;
    exchange.lastMs = atMs;
    exchange.notes.push({ id: exchange.count, atMs, body });
    this.#hold(body);
    const { notes } = this.#limits;
    if (exchange.notes.length > notes * 1.25) this.#dropNotes(exchange, exchange.notes.length - notes);
    this.#change(exchange);
  }

  close(exchange: Exchange): void {
    if (!isOpen(exchange)) return;
    exchange.state = exchange.state === 'pending' ? 'unanswered' : 'closed';
    this.#change(exchange);
  }

  /** Names a client that turns out to be the devtools of another tab. */
  rename(client: string, to: string): void {
    for (const exchange of this.#ring) {
      if (exchange.client !== client) continue;
      exchange.client = to;
      exchange.isOwn = !isAct(exchange.method);
      exchange.version += 1;
    }
    this.#countOwn();
    if (this.#last?.isOwn) this.#last = this.#ring.findLast(({ isOwn }) => !isOwn) ?? null;
    this.#tell();
  }

  miss(count: number): void {
    this.#missed += count;
    this.#tell();
  }

  #change(exchange: Exchange): void {
    exchange.version += 1;
    this.#messages += 1;
    if (exchange.isOwn) this.#ownMessages += 1;
    this.#tell();
  }

  #hold(body: Body): void {
    this.#weight += body.weight;
    if (this.#weight > this.#limits.weight) this.#lighten();
  }

  /**
   * Drops the oldest bodies until a quarter of the limit is free, those of the page's own reads first; the exchanges
   * stay in the list.
   */
  #lighten(): void {
    const isOwn = Map.groupBy(this.#ring, (exchange) => exchange.isOwn);
    for (const exchange of [...(isOwn.get(true) ?? []), ...(isOwn.get(false) ?? [])]) {
      if (this.#weight <= this.#limits.weight * 0.75) return;
      this.#release(exchange);
    }
  }

  #release(exchange: Exchange): void {
    this.#drop([exchange]);
    exchange.ask = gone;
    if (exchange.answer !== null) exchange.answer = gone;
    exchange.notes = exchange.notes.map((note): Note => ({ ...note, body: gone }));
    exchange.version += 1;
  }

  #dropNotes(exchange: Exchange, count: number): void {
    for (const { body } of exchange.notes.splice(0, count)) this.#weight -= body.weight;
  }

  #drop(exchanges: readonly Exchange[]): void {
    for (const { weight } of exchanges.flatMap(bodiesOf)) this.#weight -= weight;
  }

  #countOwn(): void {
    this.#ownCount = this.#ring.filter(({ isOwn }) => isOwn).length;
  }

  /** Removes the oldest exchanges of a kind that has too many, except those still open. */
  #cut(): void {
    const { exchanges, own, open } = this.#limits;
    const others = this.#ring.length - this.#ownCount;
    if (this.#ownCount > own * 1.25) this.#drain(true, this.#ownCount - own, open);
    if (others > exchanges * 1.25) this.#drain(false, others - exchanges, open);
  }

  /** Of the `count` oldest ones of a kind, the newest `open` that are still open stay. */
  #drain(isOwn: boolean, count: number, open: number): void {
    const old = this.#ring.filter((exchange) => exchange.isOwn === isOwn).slice(0, count);
    const kept = new Set(old.filter(isOpen).slice(-open));
    const gone = new Set(old.filter((exchange) => !kept.has(exchange)));
    this.#drop([...gone]);
    this.#ring = this.#ring.filter((exchange) => !gone.has(exchange));
    this.#countOwn();
  }
}

const acts =
  /^transaction|_(?:add|create|delete|finali[sz]e(?!d)|fund|impersonate|import|insert|localStorage(?:Clear|Set)|new(?!H)|re(?:move|set|store)|rotate|seal|set|snapshot|submit|timeTravel)/;
/** Whether a method changes the chain, the pool or the node: it is then called on the user's behalf. */
export const isAct = (method: string): boolean => acts.test(method);
