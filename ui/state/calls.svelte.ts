import { orderParams, parseParams } from './call-text.ts';
import { faultText } from './format.ts';
import { createMethodFinder, type MethodInfo } from './method-info.ts';
import type { UiNode } from './ui-node.ts';

/** One call of the console. */
export type CallEntry = {
  readonly id: number;
  readonly method: string;
  readonly params: string;
  readonly state: 'pending' | 'ok' | 'error' | 'open';
  readonly ms: number | null;
  /** The result, the error, or the newest notification. */
  readonly value: unknown;
  /** Notifications so far, of a subscription. */
  readonly count: number;
};

const keptCalls = 200;

/** The JSON-RPC console: methods, the call being written, and what was called. */
export class Calls {
  #node: UiNode;
  #methods = $state.raw<readonly string[]>([]);
  #history = $state.raw<readonly CallEntry[]>([]);
  #shownId = $state.raw<number | null>(null);
  #find = createMethodFinder();
  #closers = new Map<number, () => void>();
  #nextId = 1;
  filter = $state('');
  method = $state('system_health');
  params = $state('');

  constructor(node: UiNode) {
    this.#node = node;
    void this.#loadMethods();
  }

  #matching = $derived.by(() => {
    const words = this.filter.toLowerCase().split(/\s+/).filter(Boolean);
    return this.#methods.filter((method) => words.every((word) => method.toLowerCase().includes(word)));
  });
  #info = $derived(this.#find(this.method.trim()));
  #shown = $derived(this.#history.find((entry) => entry.id === this.#shownId) ?? null);
  #paramsFault = $derived.by(() => {
    try {
      parseParams(this.params);
      return null;
    } catch (fault) {
      return faultText(fault);
    }
  });

  /** What the table says of the method being written. */
  get info(): MethodInfo | null {
    return this.#info;
  }

  get methods(): readonly string[] {
    return this.#methods;
  }

  get matching(): readonly string[] {
    return this.#matching;
  }

  get history(): readonly CallEntry[] {
    return this.#history;
  }

  get shown(): CallEntry | null {
    return this.#shown;
  }

  get paramsFault(): string | null {
    return this.#paramsFault;
  }

  show(entry: CallEntry): void {
    this.#shownId = entry.id;
    this.method = entry.method;
    this.params = entry.params;
  }

  async run(): Promise<void> {
    const method = this.method.trim();
    if (method === '' || this.#paramsFault !== null) return;
    const id = this.#nextId++;
    const base: CallEntry = {
      id,
      method,
      params: this.params.trim(),
      state: 'pending',
      ms: null,
      value: null,
      count: 0,
    };
    this.#history = [base, ...this.#history].slice(0, keptCalls);
    this.#shownId = id;
    const start = performance.now();
    try {
      await this.#call(id, method, base.params, start);
    } catch (fault) {
      this.#update(id, { state: 'error', ms: performance.now() - start, value: faultValue(fault) });
    }
  }

  async #call(id: number, method: string, text: string, start: number): Promise<void> {
    const info = this.#find(method);
    const params = orderParams(parseParams(text), info?.params.map(({ name }) => name) ?? []);
    if (info !== null && info.unsubscribe !== null) return this.#listen(id, method, params, info.unsubscribe);
    const value = await this.#node.request(method, params);
    this.#update(id, { state: 'ok', ms: performance.now() - start, value });
  }

  /** Ends a subscription of the console. */
  close(id: number): void {
    this.#closers.get(id)?.();
    this.#closers.delete(id);
    this.#update(id, { state: 'ok' });
  }

  async #listen(id: number, method: string, params: readonly unknown[], unsubscribe: string): Promise<void> {
    const start = performance.now();
    let count = 0;
    const subscription = this.#node.subscribe(method, params, unsubscribe, (value) => {
      count += 1;
      this.#update(id, { value, count, ms: performance.now() - start });
    });
    this.#closers.set(id, subscription.close);
    this.#update(id, { state: 'open' });
    await subscription.opened;
  }

  #update(id: number, change: Partial<CallEntry>): void {
    this.#history = this.#history.map((entry) => (entry.id === id ? { ...entry, ...change } : entry));
  }

  async #loadMethods(): Promise<void> {
    const answer = (await this.#node.request('rpc_methods', []).catch(() => ({ methods: [] }))) as {
      methods: string[];
    };
    this.#methods = [...answer.methods].sort();
  }
}

const faultValue = (fault: unknown): unknown => {
  if (typeof fault !== 'object' || fault === null) return String(fault);
  const { code, message, data } = fault as { code?: unknown; message?: unknown; data?: unknown };
  return { ...(code === undefined ? {} : { code }), message, ...(data === undefined ? {} : { data }) };
};
