import { createSubscriber } from 'svelte/reactivity';
import type { UiNode, UiSubscription } from './ui-node.ts';

/** One exchange of this page with the node: a call, or a subscription with its notifications. */
export type Exchange = {
  readonly id: number;
  readonly kind: 'call' | 'subscription';
  readonly method: string;
  readonly params: readonly unknown[];
  /** Milliseconds since 1970. */
  readonly atMs: number;
  state: 'pending' | 'ok' | 'error' | 'open' | 'closed';
  /** From the request to the answer; null while it is pending. */
  ms: number | null;
  /** The answer, the error, or the newest notification; as it came, never copied. */
  value: unknown;
  /** Notifications so far. */
  count: number;
};

/** What another part of the page wants to know of every exchange as it happens. */
export type TrafficListener = (
  exchange: Exchange,
  what: 'asked' | 'answered' | 'notified' | 'closed',
) => void;

const keptExchanges = 2000;

/** The JSON-RPC traffic of this page: a ring that readers see once per frame, however fast it fills. */
export class Traffic {
  #ring: Exchange[] = [];
  #listeners = new Set<TrafficListener>();
  #nextId = 1;
  #update: () => void = () => undefined;
  #frame = 0;
  #watch = createSubscriber((update) => {
    this.#update = update;
    return () => {
      this.#update = () => undefined;
    };
  });

  /** Oldest first. */
  get exchanges(): readonly Exchange[] {
    this.#watch();
    return this.#ring;
  }

  /** The newest exchange. */
  get last(): Exchange | null {
    this.#watch();
    return this.#ring.at(-1) ?? null;
  }

  clear(): void {
    this.#ring = [];
    this.#update();
  }

  onExchange(listener: TrafficListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  open(kind: Exchange['kind'], method: string, params: readonly unknown[]): Exchange {
    const exchange: Exchange = {
      id: this.#nextId++,
      kind,
      method,
      params,
      atMs: Date.now(),
      state: 'pending',
      ms: null,
      value: undefined,
      count: 0,
    };
    this.#ring.push(exchange);
    if (this.#ring.length > keptExchanges * 1.25) this.#ring = this.#ring.slice(-keptExchanges);
    this.tell(exchange, 'asked');
    return exchange;
  }

  tell(exchange: Exchange, what: Parameters<TrafficListener>[1]): void {
    for (const listener of this.#listeners) listener(exchange, what);
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#update();
    });
  }
}

/** The node with every exchange written down in `traffic`. */
export const tapNode = (node: UiNode, traffic: Traffic): UiNode => ({
  ...node,
  request: async (method, params, options) => {
    const exchange = traffic.open('call', method, params);
    const start = performance.now();
    const settle = (state: 'ok' | 'error', value: unknown): void => {
      Object.assign(exchange, { state, value, ms: performance.now() - start });
      traffic.tell(exchange, 'answered');
    };
    try {
      const value = await node.request(method, params, options);
      settle('ok', value);
      return value;
    } catch (fault) {
      settle('error', fault);
      throw fault;
    }
  },
  subscribe: (method, params, unsubscribe, onValue): UiSubscription => {
    const exchange = traffic.open('subscription', method, params);
    const start = performance.now();
    const subscription = node.subscribe(method, params, unsubscribe, (value) => {
      exchange.value = value;
      exchange.count += 1;
      traffic.tell(exchange, 'notified');
      onValue(value);
    });
    const settle = (change: Partial<Exchange>): void => {
      Object.assign(exchange, change);
      traffic.tell(exchange, 'answered');
    };
    subscription.opened.then(
      () => {
        if (exchange.state === 'pending') settle({ state: 'open', ms: performance.now() - start });
      },
      (fault: unknown) => settle({ state: 'error', value: fault, ms: performance.now() - start }),
    );
    return {
      opened: subscription.opened,
      close: () => {
        subscription.close();
        if (exchange.state === 'error' || exchange.state === 'closed') return;
        exchange.state = 'closed';
        traffic.tell(exchange, 'closed');
      },
    };
  },
});
