import { NodeError } from '../../../src/protocol/errors.ts';
import { holdLock } from '../../../src/protocol/port.ts';
import { createHeldKeys } from './held-keys.ts';
import type { FromKeys, KeyCallName, Opening, ToKeys } from './key-protocol.ts';

// Keys live in a worker of their own: the page never has a secret after it was typed, and scrypt does not block it.
const page = globalThis as unknown as {
  postMessage(message: FromKeys): void;
  onmessage: ((event: MessageEvent<ToKeys>) => void) | null;
};
const keys = createHeldKeys();
/** Calls that have no answer yet. */
const running = new Map<number, AbortController>();

const answer = async (turn: number, call: KeyCallName, args: readonly unknown[]): Promise<void> => {
  const ended = new AbortController();
  const opening: Opening = {
    onOpened: (done, total) => page.postMessage({ turn, done, total }),
    signal: ended.signal,
  };
  running.set(turn, ended);
  try {
    const run = keys[call] as (...all: readonly unknown[]) => Promise<unknown>;
    page.postMessage({ turn, value: await run(...args, opening) });
  } catch (error) {
    const code = error instanceof NodeError ? error.code : null;
    page.postMessage({
      turn,
      fault: { code, message: error instanceof Error ? error.message : String(error) },
    });
  } finally {
    running.delete(turn);
  }
};

page.onmessage = ({ data }) => {
  if ('call' in data) void answer(data.turn, data.call, data.args);
  else running.get(data.turn)?.abort();
};

// A browser that ends a worker, as for want of memory, tells nobody. The lock tells the page.
const lock = `tabnode-keys-${crypto.randomUUID()}`;
holdLock(lock, new AbortController().signal, () => page.postMessage({ lock }));
