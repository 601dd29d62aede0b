import { type ErrorCode, errorCodes, NodeError } from '../../../src/protocol/errors.ts';
import { whenReleased } from '../../../src/protocol/port.ts';
import { HeldIds } from './held-ids.svelte.ts';
import type {
  FromKeys,
  HeldKey,
  KeyAnswer,
  KeyCallName,
  KeyCalls,
  OpenedKeys,
  Opening,
  ToKeys,
} from './key-protocol.ts';

type Waiting = PromiseWithResolvers<unknown> & Pick<Opening, 'onOpened'>;

/** The keys of a page, and whose they are. */
export type PageKeys = KeyCalls & { readonly held: HeldIds };

const toError = ({ code, message }: { readonly code: string | null; readonly message: string }): Error =>
  code !== null && Object.hasOwn(errorCodes, code)
    ? new NodeError(code as ErrorCode, message)
    : new TypeError(message);

/** A worker; `onEnded` is called once if it could not be loaded, had a fault, or was ended by the browser. */
const startWorker = (open: () => Worker, onMessage: (message: KeyAnswer) => void, onEnded: () => void) => {
  const worker = open();
  const ended = new AbortController();
  const end = (): void => {
    if (ended.signal.aborted) return;
    ended.abort();
    worker.terminate();
    onEnded();
  };
  worker.onmessage = ({ data }: MessageEvent<FromKeys>) => {
    if ('lock' in data) whenReleased(data.lock, ended.signal, end);
    else onMessage(data);
  };
  worker.onerror = end;
  worker.onmessageerror = end;
  return worker;
};

/** The calls to a key worker that `open` starts with the first of them; if it ends, the next call starts another one. */
const createCalls = (open: () => Worker, onEnded: () => void) => {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let hasAnswered = false;
  let last = 0;
  const end = (): void => {
    worker = null;
    const fault = new TypeError(
      hasAnswered
        ? 'The browser ended the worker that holds the keys. Unlock or add the account again.'
        : 'The code for keys could not be loaded. Check the connection, and try again.',
    );
    hasAnswered = false;
    for (const { reject } of waiting.values()) reject(fault);
    waiting.clear();
    onEnded();
  };
  const receive = (message: KeyAnswer): void => {
    hasAnswered = true;
    const asked = waiting.get(message.turn);
    if ('total' in message) {
      asked?.onOpened?.(message.done, message.total);
      return;
    }
    waiting.delete(message.turn);
    if ('fault' in message) asked?.reject(toError(message.fault));
    else asked?.resolve(message.value);
  };
  const start = (call: KeyCallName, args: readonly unknown[], { onOpened, signal }: Opening = {}) => {
    last += 1;
    const turn = last;
    const asked: Waiting = { ...Promise.withResolvers<unknown>(), ...(onOpened && { onOpened }) };
    waiting.set(turn, asked);
    worker ??= startWorker(open, receive, end);
    worker.postMessage({ turn, call, args } satisfies ToKeys);
    // The worker answers that it has stopped, or that it was too late.
    const abort = () => worker?.postMessage({ turn, isAborted: true } satisfies ToKeys);
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    return asked.promise.finally(() => signal?.removeEventListener('abort', abort));
  };
  return { start, isStarted: () => worker !== null };
};

/** The calls to the key workers that `open` starts, one at a time, and what the present one holds. */
export const createPageKeys = (open: () => Worker): PageKeys => {
  const held = new HeldIds();
  const calls = createCalls(open, () => held.clear());
  const ask =
    (call: KeyCallName) =>
    (...args: readonly unknown[]): Promise<never> =>
      calls.start(call, args) as Promise<never>;
  return {
    held,
    add: async (suri, type) => {
      const key = (await calls.start('add', [suri, type])) as HeldKey;
      held.add(key.id);
      return key;
    },
    open: async (text, password, opening) => {
      const keys = (await calls.start('open', [text, password], opening)) as OpenedKeys;
      held.add(...keys.opened.map(({ id }) => id));
      return keys;
    },
    forget: async (id) => {
      held.delete(id);
      if (calls.isStarted()) await calls.start('forget', [id]);
    },
    sign: ask('sign'),
    signOnce: ask('signOnce'),
    save: ask('save'),
    verify: ask('verify'),
  };
};

/** The keys of this page. */
export const pageKeys: PageKeys = createPageKeys(
  () => new Worker(new URL('./key-worker.ts', import.meta.url), { type: 'module' }),
);
