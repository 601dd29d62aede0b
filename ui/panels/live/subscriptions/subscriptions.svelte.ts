import { parseJson, writeJson } from '../../../../src/protocol/json.ts';
import { currentFrame } from '../../../kit/page/frame.ts';
import { linkWith, openLink, type Route } from '../../../kit/page/route.svelte.ts';
import { throttleFrame } from '../../../kit/page/throttle.ts';
import { previewValue } from '../../../node/client/exchange.ts';
import type { UiNode, UiSubscription } from '../../../node/client/ui-node.ts';
import { FreezableList } from '../../../node/freezable-list.svelte.ts';
import type { PageContext } from '../../../node/page-context.ts';
import { hasWords, searched, wordsOf } from '../traffic/traffic-view.svelte.ts';

/** One notification. The value is never copied. */
export type SubscriptionItem = { readonly id: number; readonly atMs: number; readonly value: unknown };

/** A subscription by name and parameters, as stored in the URL. */
export type SubscriptionCall = { readonly method: string; readonly params: readonly unknown[] };

const keptItems = 500;
/** Window over which the rate is measured. */
const rateWindowMs = 5000;

/** What the page shows of a subscription; replaced at most once per frame. */
type Seen = {
  readonly list: readonly SubscriptionItem[];
  /** Notifications since it was opened. */
  readonly total: number;
  /** Notifications per second over the last 5 s. */
  readonly rate: number;
};

/** One subscription and its latest notifications, newest first. */
export class Subscription {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
  #subscription: UiSubscription | null = null;
  #open: (() => UiSubscription) | undefined;
  #items: SubscriptionItem[] = [];
  #moments: number[] = [];
  #total = 0;
  seen = $state.raw<Seen>({ list: [], total: 0, rate: 0 });
  #tell = throttleFrame(() => this.#show());
  state = $state.raw<'held' | 'opening' | 'open' | 'stopped' | 'refused' | 'unknown'>('opening');
  fault = $state.raw<unknown>(null);
  filter = $state('');
  readonly tail = new FreezableList<SubscriptionItem>(() => this.seen);

  /** Opens it, unless it is held; then `open` does. `unsubscribe` is null if the method is not a subscription. */
  constructor(
    node: UiNode,
    id: number,
    { method, params }: SubscriptionCall,
    unsubscribe: string | null,
    isHeld: boolean,
  ) {
    this.id = id;
    this.method = method;
    this.params = params;
    if (unsubscribe === null) {
      this.state = 'unknown';
      return;
    }
    if (isHeld) this.state = 'held';
    this.#open = () => node.subscribe(method, params, unsubscribe, (value) => this.#take(value));
    if (!isHeld) this.open();
  }

  open(): void {
    this.state = 'opening';
    this.#subscription = this.#open?.() ?? null;
    this.#subscription?.opened.then(
      () => {
        if (this.state === 'opening') this.state = 'open';
      },
      (fault: unknown) => {
        this.fault = fault;
        this.state = 'refused';
      },
    );
  }

  /** Newest first; frozen while paused or held. */
  get items(): readonly SubscriptionItem[] {
    const items = this.tail.list.toReversed();
    const words = wordsOf(this.filter);
    return words.length === 0 ? items : items.filter((item) => hasWords(words, searchText(item)));
  }

  clear(): void {
    this.#items = [];
    this.#show();
    this.tail.clear();
  }

  stop(): void {
    this.#subscription?.close();
    if (this.state !== 'refused') this.state = 'stopped';
  }

  /** Lets the rate drop when no notifications arrive. */
  tick(): void {
    if (this.#moments.length > 0) this.#show();
  }

  #show(): void {
    const since = performance.now() - rateWindowMs;
    this.#moments = this.#moments.filter((moment) => moment >= since);
    const rate = this.#moments.length / (rateWindowMs / 1000);
    this.seen = { list: [...this.#items], total: this.#total, rate };
  }

  #take(value: unknown): void {
    this.#total += 1;
    this.#items.push({ id: this.#total, atMs: Date.now(), value });
    if (this.#items.length > keptItems * 1.25) this.#items = this.#items.slice(-keptItems);
    this.#moments.push(performance.now());
    if (this.#moments.length > 10_000) this.#moments = this.#moments.slice(-5000);
    this.#tell();
  }
}

const searchTexts = new WeakMap<SubscriptionItem, string>();
const searchText = (item: SubscriptionItem): string => {
  const text = searchTexts.get(item) ?? previewValue(item.value, searched).toLowerCase();
  searchTexts.set(item, text);
  return text;
};

/** Calls with the same method and parameters are the same subscription. */
const keyOf = ({ method, params }: SubscriptionCall): string => writeJson([method, params]);

/** The open subscriptions. The address stores them: a navigation opens, closes and reorders them. */
export class Subscriptions {
  #node: UiNode;
  #route: Route;
  #endOf: (method: string) => string | null;
  list = $state.raw<readonly Subscription[]>([]);
  /** Those of the address beyond the maximum. */
  cut = $state.raw<readonly SubscriptionCall[]>([]);
  #nextId = 1;

  /** `endOf` returns the unsubscribe method; null if the method is not a subscription. */
  constructor(
    { userNode, route }: PageContext,
    endOf: (method: string) => string | null,
    ended: AbortSignal,
  ) {
    this.#node = userNode;
    this.#route = route;
    this.#endOf = endOf;
    this.#read();
    const leave = currentFrame().address.watch(() => this.#read());
    ended.addEventListener(
      'abort',
      () => {
        leave();
        this.#set([]);
      },
      { once: true },
    );
  }

  /** Changes the subscriptions, and the address with them. */
  put(calls: readonly SubscriptionCall[]): void {
    openLink(this.#linkOf(calls));
  }

  #linkOf(calls: readonly SubscriptionCall[], held?: RegExp): string {
    this.#set([...calls, ...this.cut], held);
    const all = [...this.list, ...this.cut];
    return linkWith({ sub: all.length === 0 ? null : writeSubscriptionCalls(all) }, 'live');
  }

  #read(): void {
    const { panel, parts, query } = this.#route.place;
    if (panel !== 'live' || (parts[0] ?? 'subscriptions') !== 'subscriptions') return;
    const [sub, method] = [query.get('sub'), query.get('method')];
    const calls = readSubscriptionCalls(sub ?? '');
    if (calls !== null) this.#set(calls, submits);
    // A link to one subscription, beside those that are open.
    else if (method !== undefined || (sub === undefined && this.list.length > 0)) {
      const added = readSubscriptionCalls(`[["${method}",${query.get('params') || '[]'}]]`) ?? [];
      const all = method === undefined ? this.list : [...this.list, ...added];
      this.#route.replace(this.#linkOf(all, submits));
    }
  }

  /** Those that are new are opened, but for the methods that `held` matches. */
  #set(calls: readonly SubscriptionCall[], held = /^$/): void {
    const left = [...this.list];
    this.cut = calls.slice(maxSubscriptions);
    const next = calls.slice(0, maxSubscriptions).map((call) => {
      const at = left.findIndex((subscription) => keyOf(subscription) === keyOf(call));
      const [old] = at < 0 ? [] : left.splice(at, 1);
      return (
        old ??
        new Subscription(this.#node, this.#nextId++, call, this.#endOf(call.method), held.test(call.method))
      );
    });
    for (const subscription of left) subscription.stop();
    this.list = next;
  }
}

/** Parses `sub`: `[["chain_subscribeNewHeads",[]],…]`; null if it is no list. Other items become unknown names. */
export const readSubscriptionCalls = (text: string): readonly SubscriptionCall[] | null => {
  try {
    const value: unknown = parseJson(text);
    if (!Array.isArray(value)) return null;
    return value.map((one: unknown) => {
      const [method, params] = Array.isArray(one) ? (one as unknown[]) : [one, []];
      return typeof method === 'string' && Array.isArray(params)
        ? { method, params: params as unknown[] }
        : { method: writeJson(one), params: [] };
    });
  } catch {
    return null;
  }
};

export const writeSubscriptionCalls = (calls: readonly SubscriptionCall[]): string =>
  writeJson(calls.map(({ method, params }) => [method, params]));

/** A link sends no transaction: that takes a click. */
const submits = /submit/i;

/** More would be unreadable side by side. */
export const maxSubscriptions = 12;
