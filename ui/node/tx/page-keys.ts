import { type ErrorCode, errorCodes, NodeError } from '../../../src/protocol/errors.ts';
import type { FromKeys, KeyCallName, KeyCalls, ToKeys } from './key-words.ts';

type Waiting = PromiseWithResolvers<unknown> & {
  readonly onOpened: ((done: number, total: number) => void) | undefined;
};

const toError = ({ code, message }: { readonly code: string | null; readonly message: string }): Error =>
  code !== null && Object.hasOwn(errorCodes, code)
    ? new NodeError(code as ErrorCode, message)
    : new TypeError(message);

/** The calls to a key worker that `open` starts with the first of them. If it cannot be loaded, the next call tries again. */
export const createPageKeys = (open: () => Worker): KeyCalls => {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | null = null;
  let last = 0;
  const fail = (): void => {
    worker?.terminate();
    worker = null;
    const fault = new TypeError(
      'The code for keys could not be loaded. Check the connection, and try again.',
    );
    for (const { reject } of waiting.values()) reject(fault);
    waiting.clear();
  };
  const receive = (message: FromKeys): void => {
    const asked = waiting.get(message.turn);
    if ('total' in message) {
      asked?.onOpened?.(message.done, message.total);
      return;
    }
    waiting.delete(message.turn);
    if ('fault' in message) asked?.reject(toError(message.fault));
    else asked?.resolve(message.value);
  };
  const start = (): Worker => {
    const begun = open();
    begun.onmessage = ({ data }: MessageEvent<FromKeys>) => receive(data);
    begun.onerror = fail;
    begun.onmessageerror = fail;
    return begun;
  };
  const ask =
    (call: KeyCallName, count: number) =>
    (...all: readonly unknown[]): Promise<never> => {
      last += 1;
      const turn = last;
      const onOpened = all[count] as Waiting['onOpened'];
      const asked = { ...Promise.withResolvers<unknown>(), onOpened };
      waiting.set(turn, asked);
      worker ??= start();
      worker.postMessage({ turn, call, args: all.slice(0, count) } satisfies ToKeys);
      return asked.promise as Promise<never>;
    };
  return {
    add: ask('add', 2),
    sign: ask('sign', 2),
    signOnce: ask('signOnce', 2),
    open: ask('open', 2),
    save: ask('save', 3),
    forget: ask('forget', 1),
  };
};

/** The keys of this page. */
export const pageKeys: KeyCalls = createPageKeys(
  () => new Worker(new URL('./key-worker.ts', import.meta.url), { type: 'module' }),
);
