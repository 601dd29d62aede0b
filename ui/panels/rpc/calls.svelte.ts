import { writeJson } from '../../../src/protocol/json.ts';
import { throttleFrame } from '../../kit/page/throttle.ts';
import { parseParams, writeArgs } from '../../kit/text/call-text.ts';
import { discardedText } from '../../kit/text/discarded.ts';
import { attempt, isDiscarded, isLost } from '../../kit/text/format.ts';
import { callRefusalText } from '../../node/client/call-refusal.ts';
import { errorValue } from '../../node/client/exchange.ts';
import { createMethodFinder } from '../../node/client/method-info.ts';
import type { MethodNames } from '../../node/client/method-names.svelte.ts';
import { isSecretText } from '../../node/client/secret-calls.ts';
import type { UiNode } from '../../node/client/ui-node.ts';
import type { PageContext } from '../../node/page-context.ts';
import { readArgs, WrittenCall } from '../../values/call/written-call.svelte.ts';
import { CallAddress } from './call-address.svelte.ts';
import { batchMethod, type CallEntry, type CallTab, isFailed } from './history/call-entry.ts';
import { CallLog } from './history/call-log.svelte.ts';
import { groupMethods } from './methods/method-groups.ts';

/** A call collected for a batch: method, params as text, and whether they have a secret. */
export type Collected = { readonly method: string; readonly params: string; readonly isSecret?: boolean };

/** The JSON-RPC console: methods, the call being written, the batch and the history. */
export class Calls extends WrittenCall {
  readonly log: CallLog;
  readonly methods: MethodNames;
  #node: UiNode;
  #traffic: PageContext['traffic'];
  #chain: PageContext['chain'];
  #shownId = $state.raw<number | null>(null);
  batch = $state.raw<readonly Collected[]>([]);
  #closers = new Map<number, () => void>();
  readonly address: CallAddress;
  filter = $state('');

  constructor({ userNode, chain, methods, route, traffic }: PageContext, ended: AbortSignal) {
    const find = createMethodFinder();
    const ownerOf = (name: string) => find(name)?.method ?? (methods.has(name) ? name : null);
    const isSecret = (name: string, params: string): boolean =>
      name === batchMethod
        ? (attempt(() => readBatch(params)).value ?? []).some((call) => isSecret(call.method, call.params))
        : isSecretText(find(name), name, params);
    const address = new CallAddress(route, ownerOf, isSecret);
    super(find, address);
    this.address = address;
    this.#node = userNode;
    this.#traffic = traffic;
    this.#chain = chain;
    this.log = new CallLog(userNode.info.genesisHash, ended, isSecret);
    this.methods = methods;
  }

  readonly groups = $derived.by(() => groupMethods(this.methods.list, this.find));
  readonly shown = $derived.by(() => this.log.find(this.#shownId));

  /** Shows a call or batch of the history, and loads it for editing. */
  show(entry: CallEntry): void {
    this.#shownId = entry.id;
    if (entry.method === batchMethod) this.batch = readBatch(entry.params);
    else Object.assign(this, { method: entry.method, params: entry.params });
  }

  /** Replaces the call being written and the shown result. */
  take({ method, params, shownId, isSecret }: CallTab): void {
    this.#shownId = shownId;
    // The method of a secret has been misspelled since, so that nothing else tells that there is one.
    const isLost = isSecret && !isSecretText(this.find(method), method, params);
    Object.assign(this, { method, params: isLost ? '' : params });
  }

  get isSecret(): boolean {
    return this.address.isSecret;
  }

  /** Runs a call or batch of the history again. */
  async rerun(entry: CallEntry): Promise<void> {
    this.show(entry);
    await (entry.method === batchMethod ? this.sendBatch() : this.run());
  }

  async run(): Promise<void> {
    const method = this.method.trim();
    const args = this.args;
    if (method === '' || args === null) return;
    const info = this.info;
    const best = this.#chain.best?.hash ?? null;
    const id = this.log.add(method, this.isSecret ? '' : this.params.trim(), this.isSecret, best);
    this.#shownId = id;
    if (info?.role === 'subscribe' && info.unsubscribe !== null)
      await this.#listen(id, method, args, info.unsubscribe);
    else await this.#settle(id, (signal) => this.#node.request(method, args, { signal }));
  }

  /** Why the node refused a call of the history, or of a batch. */
  refusalText({ method, params }: Collected, error: unknown): string {
    const info = this.find(method);
    if (isDiscarded((error as Error | null)?.message ?? ''))
      return discardedText(this.#node.keeps(), this.#node.remote !== null);
    // Arguments with a secret are not kept, so which of them is wrong is not known.
    if (isSecretText(info, method, params)) return callRefusalText(null, [], error);
    return callRefusalText(info, readArgs(info, params).args ?? [], error);
  }

  /** Cancels a pending call, or ends a subscription. */
  stop(id: number): void {
    this.#closers.get(id)?.();
    this.#closers.delete(id);
  }

  collect(): void {
    if (this.method.trim() === '' || this.args === null) return;
    const { isSecret } = this;
    this.batch = [...this.batch, { method: this.method.trim(), params: writeArgs(this.args), isSecret }];
  }

  drop(index: number): void {
    this.batch = this.batch.filter((_, at) => at !== index);
  }

  /** Sends the collected calls as one JSON-RPC batch, over a connection of its own. */
  async sendBatch(): Promise<void> {
    const isHidden = this.batch.some(({ isSecret }) => isSecret);
    const calls = this.batch.map(({ method, params }) => ({
      method,
      params: parseParams(params) as unknown[],
    }));
    if (calls.length === 0) return;
    const text = writeJson(
      calls.map(({ method, params }, at) => [method, this.batch[at]?.isSecret ? [] : params]),
    );
    const id = this.log.add(batchMethod, text, isHidden);
    this.#shownId = id;
    await this.#settle(
      id,
      async (signal, begin) => {
        const connection = await this.#node.connect();
        begin();
        try {
          const answers = await connection.batch(calls, { signal });
          return answers.map((answer, index) => {
            // A bridge answers each call of a batch that it has lost.
            if (!answer.ok && isLost(answer.error)) throw answer.error;
            return {
              method: calls[index]?.method,
              ...(answer.ok ? { result: answer.value } : { error: errorValue(answer.error) }),
            };
          });
        } finally {
          connection.close();
        }
      },
      true,
    );
  }

  /** `ask` calls `begin` if the node takes the call later. */
  async #settle(
    id: number,
    ask: (signal: AbortSignal, begin: () => void) => Promise<unknown>,
    isBatch = false,
  ): Promise<void> {
    const abort = new AbortController();
    this.#closers.set(id, () => abort.abort());
    let start = performance.now();
    const answer = ask(abort.signal, () => {
      start = performance.now();
    });
    // The same duration as in the traffic log.
    const logged = isBatch ? null : this.#traffic.last;
    const end = (state: CallEntry['state'], value: unknown): void =>
      this.#end(id, state, value, logged?.ms ?? performance.now() - start);
    try {
      const value = await answer;
      end(isBatch && (value as unknown[]).some(isFailed) ? 'error' : 'ok', value);
    } catch (fault) {
      end(abort.signal.aborted ? 'cancelled' : 'error', errorValue(fault));
    } finally {
      this.#closers.delete(id);
    }
  }

  /** Keeps the result, or the error; of a call that lost its node, nothing is known. */
  #end(id: number, state: CallEntry['state'], value: unknown, ms: number | null): void {
    const sizeBytes = new TextEncoder().encode(writeJson(value)).length;
    if (state === 'error' && isLost(value)) this.log.update(id, { state: 'unanswered', ms });
    else this.log.update(id, { state, ms, sizeBytes, answer: { kind: 'whole', value } });
  }

  async #listen(id: number, method: string, args: readonly unknown[], unsubscribe: string): Promise<void> {
    let count = 0;
    let newest: Partial<CallEntry> = {};
    const note = (): void => this.log.note(id, newest);
    const noteSoon = throttleFrame(note);
    const subscription = this.#node.subscribe(method, args, unsubscribe, (value) => {
      count += 1;
      newest = { count, ms: logged && logged.lastMs - logged.atMs, answer: { kind: 'whole', value } };
      noteSoon();
    });
    const logged = this.#traffic.last;
    this.#closers.set(id, () => {
      subscription.close();
      note();
      this.log.update(id, { state: 'ok' });
    });
    try {
      await subscription.opened;
      if (this.#closers.has(id)) this.log.update(id, { state: 'open' });
    } catch (fault) {
      this.#closers.delete(id);
      this.#end(id, 'error', errorValue(fault), logged?.ms ?? null);
    }
  }
}

/** The calls of a batch in the history. */
export const readBatch = (text: string): readonly Collected[] =>
  (parseParams(text) as readonly [string, readonly unknown[]][]).map(([method, params]) => ({
    method,
    params: writeArgs(params),
  }));
